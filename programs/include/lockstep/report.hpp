#pragma once
/// @file
/// Report lines: a label, a value, a unit; one fact a line, all in one column.

#include <cstdio>
#include <string>
#include <type_traits>

namespace lockstep {

/// A measured number: printed with three significant digits after a `~`, which says
/// that it may differ from run to run.
struct measured {
    double value;  ///< in the unit of its report line
};

/// A whole number that the schedule decides: printed in full, after a `~`.
struct counted {
    long long value;  ///< how many
};

/// Width of the label column, in characters.
constexpr int label_width = 28;

/// Prints a line with a word, such as an error name. All lines are printed here.
/// @param label  what it is, in ASCII, shorter than label_width
/// @param word   the word
/// @param unit   the unit of a number, or nothing
inline void report(const char* label, const char* word, const char* unit = "") {
    std::printf("%-*s%s%s%s\n", label_width, label, word, *unit ? " " : "", unit);
}

/// Prints a line with yes or no.
inline void report(const char* label, bool value) {
    report(label, value ? "yes" : "no");
}

/// Prints a line with an exact whole number: the same in every run.
template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
void report(const char* label, T value, const char* unit = "") {
    report(label, std::to_string(value).c_str(), unit);
}

/// Prints a line with an exact number: the same in every run.
inline void report(const char* label, double value, const char* unit = "") {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    report(label, text, unit);
}

/// Prints a line with a measured number; a ratio has no unit.
inline void report(const char* label, measured number, const char* unit = "") {
    const double size = number.value < 0 ? -number.value : number.value;
    const int decimals = (size < 0.1) + (size < 1) + (size < 10) + (size < 100);
    char text[400];  // enough for any double
    std::snprintf(text, sizeof text, "~%.*f", decimals, number.value);
    report(label, text, unit);
}

/// Prints a line with a count that may differ from run to run.
inline void report(const char* label, counted count) {
    report(label, ("~" + std::to_string(count.value)).c_str());
}

}  // namespace lockstep
