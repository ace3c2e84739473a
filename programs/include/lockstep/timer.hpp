#pragma once
/// @file
/// Times work on the GPU with events and work on the host with a steady clock.

#include <chrono>
#include <cstddef>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/event.hpp>
#include <lockstep/statistics.hpp>  // IWYU pragma: export

namespace lockstep {

/// Times several pieces of work on the GPU's own clock, in turns, so that all meet the
/// same clocks and temperatures.
///
/// Each round runs every piece once, between two events in `stream`. Three warm-up
/// rounds come first.
///
/// @param pieces  number of pieces of work
/// @param work    callable (std::size_t i) that enqueues piece i into `stream`
/// @param rounds  number of timed rounds
/// @param stream  stream that the work goes to
/// @return for each piece its median and spread
template <class Work>
std::vector<timing> time_in_turns(std::size_t pieces, Work&& work, int rounds = 20,
                                  cudaStream_t stream = nullptr) {
    const event begin, end;
    std::vector<std::vector<double>> samples_ms(pieces);
    for (int round = -3; round < rounds; ++round) {
        for (std::size_t i = 0; i < pieces; ++i) {
            check(cudaEventRecord(begin, stream));
            work(i);
            check(cudaEventRecord(end, stream));
            check(cudaEventSynchronize(end));
            float elapsed_ms = 0;
            check(cudaEventElapsedTime(&elapsed_ms, begin, end));
            if (round >= 0) samples_ms[i].push_back(elapsed_ms);
        }
    }
    check(cudaGetLastError());
    std::vector<timing> times;
    for (const std::vector<double>& samples : samples_ms)
        times.push_back(summarize(samples));
    return times;
}

/// Times one piece of work on the GPU's own clock, after three warm-up runs.
///
/// The two events also enclose the start of the work in an idle stream, about 5 us on
/// an H200. For work below about 50 us take time_back_to_back().
///
/// @param work    callable that enqueues the work into `stream`
/// @param runs    number of timed runs
/// @param stream  stream that the work goes to
template <class Work>
timing time_on_device(Work&& work, int runs = 20, cudaStream_t stream = nullptr) {
    return time_in_turns(1, [&](std::size_t) { work(); }, runs, stream)[0];
}

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
