#pragma once
/// @file
/// Report lines: a label, a value, a unit, one fact a line, all in one column.

#include <cstdio>
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

/// Field width that makes printf fill the label column: a character of several bytes in
/// UTF-8 takes one place.
/// @param label  what a line is about, at most label_width - 1 characters
inline int label_field(const char* label) {
    int width = label_width;
    for (; *label != '\0'; ++label) {
        // a further byte of the same character
        if ((static_cast<unsigned char>(*label) & 0xC0) == 0x80) ++width;
    }
    return width;
}

/// Prints a line with a word, such as an error name.
/// @param label  what it is
/// @param word   the word
inline void report(const char* label, const char* word) {
    std::printf("%-*s%s\n", label_field(label), label, word);
}

/// Prints a line with an exact number, or with yes or no: the same in every run.
/// @tparam T     a type of whole numbers, of floating-point numbers, or bool
/// @param label  what it is
/// @param value  the number
/// @param unit   its unit, or nothing for a count
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void report(const char* label, T value, const char* unit = "") {
    const int width = label_field(label);
    const char* space = *unit ? " " : "";
    if constexpr (std::is_same_v<T, bool>) {
        report(label, value ? "yes" : "no");
    } else if constexpr (std::is_floating_point_v<T>) {
        std::printf("%-*s%g%s%s\n", width, label, static_cast<double>(value), space,
                    unit);
    } else if constexpr (std::is_signed_v<T>) {
        std::printf("%-*s%lld%s%s\n", width, label, static_cast<long long>(value),
                    space, unit);
    } else {
        std::printf("%-*s%llu%s%s\n", width, label,
                    static_cast<unsigned long long>(value), space, unit);
    }
}

/// Prints a line with a measured number: three significant digits after a `~`.
/// @param label  what it is
/// @param value  the measurement
/// @param unit   its unit; nothing for a ratio
inline void report(const char* label, measured value, const char* unit = "") {
    const double size = value.value < 0 ? -value.value : value.value;
    int decimals = 4;
    for (double step = 0.1; decimals > 0 && size >= step; step *= 10) --decimals;
    const char* space = *unit ? " " : "";
    std::printf("%-*s~%.*f%s%s\n", label_field(label), label, decimals, value.value,
                space, unit);
}

/// Prints a line with a count that may differ from run to run.
/// @param label  what was counted
/// @param count  how many
inline void report(const char* label, counted count) {
    std::printf("%-*s~%lld\n", label_field(label), label, count.value);
}

}  // namespace lockstep
