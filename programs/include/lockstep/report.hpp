#pragma once
/// @file
/// Report lines: a label, a value, a unit; one fact a line, all in one column.

#include <cstdio>
#include <string>
#include <type_traits>

namespace lockstep {

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

}  // namespace lockstep
