#pragma once
/// @file
/// A comparison with a reference that a NaN cannot pass.

#include <algorithm>
#include <cstddef>
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

}  // namespace lockstep
