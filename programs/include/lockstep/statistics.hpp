#pragma once
/// @file
/// Median and spread of repeated measurements.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep {

/// What repeated measurements of one duration gave, in milliseconds.
struct timing {
    double median_ms;  ///< half of the runs were faster
    double low_ms;     ///< 10th percentile
    double high_ms;    ///< 90th percentile

    /// Width of the middle 80% of the runs as a fraction of the median.
    double spread() const { return (high_ms - low_ms) / median_ms; }
    /// Rate for `amount` units of work in each run, in units per second.
    double per_second(double amount) const { return amount / (median_ms * 1e-3); }
};

/// Summarizes samples.
/// @param samples_ms  durations in milliseconds, at least one, in any order
inline timing summarize(std::vector<double> samples_ms) {
    std::sort(samples_ms.begin(), samples_ms.end());
    const std::size_t n = samples_ms.size();
    const double median = (samples_ms[(n - 1) / 2] + samples_ms[n / 2]) / 2;
    return {median, samples_ms[(n - 1) / 10], samples_ms[n - 1 - (n - 1) / 10]};
}

}  // namespace lockstep
