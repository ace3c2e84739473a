#pragma once
/// @file
/// Report lines with a count that may differ from run to run.

#include <cstdio>

#include <lockstep/report.hpp>

namespace lockstep {

/// A whole number that the schedule decides: printed in full behind a `~`, so it may differ from run to run.
struct counted {
    long long value;  ///< how many
};

/// Prints a line with such a count.
/// @param label  what was counted, at most label_width - 1 characters
/// @param count  how many
inline void report(const char* label, counted count) { std::printf("%-*s~%lld\n", label_width, label, count.value); }

}  // namespace lockstep
