#pragma once
/// @file
/// Times work on the GPU with events and work on the host with a steady clock.

#include <chrono>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/statistics.hpp>

namespace lockstep {

/// Times what `work` enqueues, on the GPU's own clock.
///
/// Three warm-up runs come first. Each run is bracketed by two events in `stream`.
///
/// @param work    callable that launches the work into `stream`
/// @param runs    number of timed runs
/// @param stream  stream that the work goes to
template <class Work>
timing time_on_device(Work&& work, int runs = 20, cudaStream_t stream = nullptr) {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<double> samples_ms;
    for (int run = -3; run < runs; ++run) {
        check(cudaEventRecord(begin, stream));
        work();
        check(cudaEventRecord(end, stream));
        check(cudaEventSynchronize(end));
        float elapsed_ms = 0;
        check(cudaEventElapsedTime(&elapsed_ms, begin, end));
        if (run >= 0) samples_ms.push_back(elapsed_ms);
    }
    check(cudaGetLastError());
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    return summarize(samples_ms);
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
        if (run >= 0) samples_ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
    }
    return summarize(samples_ms);
}

}  // namespace lockstep
