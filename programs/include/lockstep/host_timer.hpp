#pragma once
/// @file
/// Times work on the host with a steady clock.

#include <chrono>
#include <vector>

#include <lockstep/statistics.hpp>  // IWYU pragma: export

namespace lockstep {

/// Times `work` on the host's clock, after one warm-up run.
///
/// GPU work counts only as far as `work` waits for it.
///
/// @param work  callable to run
/// @param runs  number of timed runs
template <class Work>
timing time_on_host(Work&& work, int runs = 20) {
    std::vector<double> samples_ms;
    for (int run = -1; run < runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const auto end = std::chrono::steady_clock::now();
        if (run >= 0)
            samples_ms.push_back(
                std::chrono::duration<double, std::milli>(end - begin).count());
    }
    return summarize(samples_ms);
}

}  // namespace lockstep
