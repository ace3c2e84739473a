#pragma once
/// @file
/// Short form of the report lines, for downloads. Labels are ASCII.

#include <cstdio>
#include <string>
#include <type_traits>

namespace lockstep {

/// A number that was measured, which may differ from run to run.
struct measured {
    double value;
};

/// A whole number that the schedule decides.
struct counted {
    long long value;
};

constexpr int label_width = 28;

inline void report(const char* label, const char* word, const char* unit = "") {
    std::printf("%-28s%s%s%s\n", label, word, *unit ? " " : "", unit);
}

inline void report(const char* label, bool value) {
    std::printf("%-28s%s\n", label, value ? "yes" : "no");
}

template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
void report(const char* label, T value, const char* unit = "") {
    report(label, std::to_string(value).c_str(), unit);
}

inline void report(const char* label, double value, const char* unit = "") {
    std::printf("%-28s%g%s%s\n", label, value, *unit ? " " : "", unit);
}

inline void report(const char* label, measured value, const char* unit = "") {
    const double size = value.value < 0 ? -value.value : value.value;
    const int digits = (size < 0.1) + (size < 1) + (size < 10) + (size < 100);
    std::printf("%-28s~%.*f%s%s\n", label, digits, value.value, *unit ? " " : "", unit);
}

inline void report(const char* label, counted count) {
    std::printf("%-28s~%lld\n", label, count.value);
}

}  // namespace lockstep
