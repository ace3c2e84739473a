#pragma once
/// @file
/// Report lines with numbers that may differ from run to run; a `~` says so.

#include <cstdio>
#include <string>

#include <lockstep/report.hpp>  // IWYU pragma: export

namespace lockstep {

/// A measured number: printed with three significant digits, after a `~`.
struct measured {
    double value;  ///< in the unit of its report line
};

/// A whole number that the schedule decides: printed in full, after a `~`.
struct counted {
    long long value;  ///< how many
};

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
