#pragma once
/// @file
/// Report lines: a label, a value, a unit, one fact a line, all in one column.

#include <cstdio>

namespace lockstep {

/// A number that was measured: printed behind a `~`, so it alone may differ from run to run.
struct measured {
    double value;  ///< in the unit of its report line
};

/// Width of the label column, in characters.
constexpr int label_width = 28;

/// Prints a line with an exact whole number.
/// @param label  what it is, at most label_width - 1 characters
/// @param value  the number
/// @param unit   its unit, or nothing for a count
inline void report(const char* label, long long value, const char* unit = "") {
    std::printf("%-*s%lld%s%s\n", label_width, label, value, *unit ? " " : "", unit);
}
/// The same for another whole number type.
inline void report(const char* label, unsigned long long value, const char* unit = "") {
    std::printf("%-*s%llu%s%s\n", label_width, label, value, *unit ? " " : "", unit);
}
/// The same for another whole number type.
inline void report(const char* label, unsigned long value, const char* unit = "") {
    report(label, static_cast<unsigned long long>(value), unit);
}
/// The same for another whole number type.
inline void report(const char* label, unsigned value, const char* unit = "") {
    report(label, static_cast<unsigned long long>(value), unit);
}
/// The same for another whole number type.
inline void report(const char* label, int value, const char* unit = "") {
    report(label, static_cast<long long>(value), unit);
}
/// The same for another whole number type.
inline void report(const char* label, long value, const char* unit = "") {
    report(label, static_cast<long long>(value), unit);
}

/// Prints a line with an exact number that is the same in every run, such as an error bound.
inline void report(const char* label, double value, const char* unit = "") {
    std::printf("%-*s%g%s%s\n", label_width, label, value, *unit ? " " : "", unit);
}

/// Prints a line with a word, such as an error name.
inline void report(const char* label, const char* word) { std::printf("%-*s%s\n", label_width, label, word); }

/// Prints a line with yes or no.
inline void report(const char* label, bool yes) { report(label, yes ? "yes" : "no"); }

/// Prints a line with a measured number, three significant digits behind a `~`.
/// @param label  what it is
/// @param value  the measurement
/// @param unit   its unit; nothing for a ratio
inline void report(const char* label, measured value, const char* unit = "") {
    const double size = value.value < 0 ? -value.value : value.value;
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    std::printf("%-*s~%.*f%s%s\n", label_width, label, decimals, value.value, *unit ? " " : "", unit);
}

}  // namespace lockstep
