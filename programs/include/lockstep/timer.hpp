#pragma once
/// @file
/// Times work on the GPU with events.

#include <cstddef>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/statistics.hpp>  // IWYU pragma: export

namespace lockstep {

/// Times several candidates on the GPU's own clock, in turns, so that all meet the same
/// clocks and temperatures.
///
/// Each round runs every candidate once, between two events in `stream`. Three warm-up
/// rounds come first.
///
/// @param count   number of candidates
/// @param work    callable (std::size_t i) that enqueues candidate i into `stream`
/// @param rounds  number of timed rounds
/// @param stream  stream that the work goes to
/// @return for each candidate its median and spread
template <class Work>
std::vector<timing> time_in_turns(std::size_t count, Work&& work, int rounds = 20,
                                  cudaStream_t stream = nullptr) {
    const owned_event begin, end;
    std::vector<std::vector<double>> samples_ms(count);
    for (int round = -3; round < rounds; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
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

/// Times work on the GPU's own clock, after three warm-up runs.
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

}  // namespace lockstep
