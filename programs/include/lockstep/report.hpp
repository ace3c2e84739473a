#pragma once
/// @file
/// Report lines: a label, a value, a unit, one fact a line, all in one column.

#include <cstdio>
#include <string>
#include <type_traits>

namespace lockstep {

/// A number that was measured: printed with a leading `~`, so it alone may differ from
/// run to run.
struct measured {
    double value;  ///< in the unit of its report line
};

/// A whole number that the schedule decides: printed in full with a leading `~`, so it
/// may differ from run to run.
struct counted {
    long long value;  ///< how many
};

/// Width of the label column, in characters.
constexpr int label_width = 28;

/// Prints a line with a word, such as an error name.
///
/// Every other report() prints its line through this one.
/// @param label  what it is, at most label_width - 1 characters
/// @param word   the word
/// @param unit   the unit of a number, or nothing
inline void report(const char* label, const char* word, const char* unit = "") {
    int width = label_width;
    for (const char* at = label; *at; ++at)
        width += (*at & 0xC0) == 0x80;  // a further byte of the same UTF-8 character
    std::printf("%-*s%s%s%s\n", width, label, word, *unit ? " " : "", unit);
}

/// Prints a line with yes or no.
/// @param label  what it is
/// @param value  whether it holds
inline void report(const char* label, bool value) {
    report(label, value ? "yes" : "no");
}

/// Prints a line with an exact whole number: the same in every run.
/// @tparam T     a type of whole numbers
/// @param label  what it is
/// @param value  the number
/// @param unit   its unit, or nothing for a count
template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
void report(const char* label, T value, const char* unit = "") {
    report(label, std::to_string(value).c_str(), unit);
}

/// Prints a line with an exact number: the same in every run.
/// @param label  what it is
/// @param value  the number
/// @param unit   its unit, or nothing
inline void report(const char* label, double value, const char* unit = "") {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    report(label, text, unit);
}

/// Prints a line with a measured number: three significant digits after a `~`.
/// @param label  what it is
/// @param value  the measurement
/// @param unit   its unit; nothing for a ratio
inline void report(const char* label, measured value, const char* unit = "") {
    const double size = value.value < 0 ? -value.value : value.value;
    const int decimals = (size < 0.1) + (size < 1) + (size < 10) + (size < 100);
    char text[400];  // enough for any double
    std::snprintf(text, sizeof text, "~%.*f", decimals, value.value);
    report(label, text, unit);
}

/// Prints a line with a count that may differ from run to run.
/// @param label  what was counted
/// @param count  how many
inline void report(const char* label, counted count) {
    report(label, ("~" + std::to_string(count.value)).c_str());
}

}  // namespace lockstep
