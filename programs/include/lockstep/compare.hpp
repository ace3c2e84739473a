#pragma once
/// @file
/// Comparisons with a reference that a NaN cannot pass.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace lockstep {

/// Number of positions where two arrays differ; NaN differs from everything.
///
/// @param found     what was computed
/// @param expected  the reference; arrays of different length differ everywhere
template <class T>
std::size_t count_mismatches(const std::vector<T>& found,
                             const std::vector<T>& expected) {
    if (found.size() != expected.size()) return std::max(found.size(), expected.size());
    std::size_t mismatches = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        mismatches += !(found[i] == expected[i]);
    return mismatches;
}

/// Largest absolute difference between two arrays.
///
/// Infinity if any difference is NaN or the lengths differ, so `error <= tolerance` is
/// a safe test.
///
/// @param found     what was computed
/// @param expected  the reference
template <class T>
double max_abs_error(const std::vector<T>& found, const std::vector<T>& expected) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (found.size() != expected.size()) return never;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double error =
            std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        if (!(error <= worst)) worst = std::isnan(error) ? never : error;
    }
    return worst;
}

}  // namespace lockstep
