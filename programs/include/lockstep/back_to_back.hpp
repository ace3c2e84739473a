#pragma once
/// @file
/// Times work so short that its launch would count.

#include <lockstep/statistics.hpp>
#include <lockstep/timer.hpp>

namespace lockstep {

/// Times short work on the GPU's own clock: puts many repetitions between two events
/// and divides by their number.
///
/// Only the first repetition includes the start in an idle stream; while it runs, the
/// host enqueues the next. The number of repetitions is chosen so that all of them
/// together take about 1 ms, 1 to 100 of them. Work that the GPU finishes faster than
/// the host enqueues it, in less than about 4 us, is measured as the enqueueing.
///
/// @param work    callable that enqueues the work into `stream`
/// @param runs    number of timed runs, each with all repetitions
/// @param stream  stream that the work goes to
/// @return median and spread of the time of one repetition
template <class Work>
timing time_back_to_back(Work&& work, int runs = 20, cudaStream_t stream = nullptr) {
    const double alone_ms = time_on_device(work, 3, stream).median_ms;
    const int repetitions = alone_ms > 0.01 ? static_cast<int>(1 / alone_ms) + 1 : 100;
    const auto repeat = [&] {
        for (int i = 0; i < repetitions; ++i) work();
    };
    timing all = time_on_device(repeat, runs, stream);
    all.median_ms /= repetitions;
    all.low_ms /= repetitions;
    all.high_ms /= repetitions;
    return all;
}

}  // namespace lockstep
