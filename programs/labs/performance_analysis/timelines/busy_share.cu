// For what share of a run was the GPU busy? A timeline lists what ran on it, with begin
// and end, one stream after the other. Things of different streams overlap, and a
// moment in which two of them ran counts once. Write the function that adds up the
// moments in which at least one ran.

#include <algorithm>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// A kernel or a copy on a timeline.
struct bar {
    int begin;  ///< in nanoseconds
    int end;  ///< in nanoseconds, after begin
};

// [task]
/// The time in which at least one bar is running.
/// @param bars  of all streams, in no order
/// @return nanoseconds
int busy_time(std::vector<bar> bars) {
    std::sort(bars.begin(), bars.end(),
              [](const bar& a, const bar& b) { return a.begin < b.begin; });
    int busy = 0;
    int until = bars.empty() ? 0 : bars[0].begin;  // what is counted so far
    for (const bar& one : bars) {
        busy += std::max(0, one.end - std::max(one.begin, until));
        until = std::max(until, one.end);
    }
    return busy;
}
//= given
//| /// The time in which at least one bar is running.
//| /// @param bars  of all streams, in no order
//| /// @return nanoseconds
//| int busy_time(std::vector<bar> bars) {
//|     int busy = 0;
//|     for (const bar& one : bars) busy += one.end - one.begin;
//|     return busy;
//| }
//= mutant from_first_to_last
//| int busy_time(std::vector<bar> bars) {
//|     int first = bars[0].begin, last = bars[0].end;
//|     for (const bar& one : bars) {
//|         first = std::min(first, one.begin);
//|         last = std::max(last, one.end);
//|     }
//|     return last - first;
//| }
//= mutant in_the_order_of_the_file
//| int busy_time(std::vector<bar> bars) {
//|     int busy = 0;
//|     int until = bars[0].begin;
//|     for (const bar& one : bars) {
//|         busy += std::max(0, one.end - std::max(one.begin, until));
//|         until = std::max(until, one.end);
//|     }
//|     return busy;
//| }
//= mutant until_the_end_of_the_last
//| int busy_time(std::vector<bar> bars) {
//|     std::sort(bars.begin(), bars.end(),
//|               [](const bar& a, const bar& b) { return a.begin < b.begin; });
//|     int busy = 0;
//|     int until = bars[0].begin;
//|     for (const bar& one : bars) {
//|         busy += std::max(0, one.end - std::max(one.begin, until));
//|         until = one.end;
//|     }
//|     return busy;
//| }
// [/task]

constexpr int span = 4096;  // nanoseconds of each timeline

/// Counts the moments in which a bar runs: each thread asks all bars about its moment.
/// @param bars   count bars in device memory
/// @param count  number of bars
/// @param busy   one counter in device memory, increased
__global__ void count_moments(const bar* bars, int count, int* busy) {
    const int moment = blockIdx.x * blockDim.x + threadIdx.x;
    if (moment >= span) return;
    bool running = false;
    for (int i = 0; i < count; ++i)
        running = running || (bars[i].begin <= moment && moment < bars[i].end);
    if (running) atomicAdd(busy, 1);
}

int main() {
    lockstep::require_device();

    struct timeline {
        const char* what;
        std::vector<bar> bars;
        const char* advice;
    };
    const timeline timelines[] = {
        {"one stream, with gaps",
         {{100, 400}, {400, 900}, {1300, 1420}, {2000, 2900}},
         "the gaps between the bars of a stream do not count"},
        {"two streams that overlap",
         {{100, 700}, {1500, 2300}, {500, 1200}, {1200, 1600}},
         "a moment in which two bars run counts once, in whatever order they stand"},
        {"a kernel over short copies",
         {{300, 3100}, {400, 600}, {700, 1000}, {3050, 3400}, {2900, 3200}},
         "a bar may end before an earlier one does"},
        {"second stream begins first",
         {{2100, 2500}, {2700, 3900}, {50, 350}, {300, 2000}, {2450, 2800}},
         "the file names a stream after the other; the times do not rise"},
    };
    lockstep::exercise_verdict verdict;
    for (const timeline& one : timelines) {
        const lockstep::device_buffer<bar> bars(one.bars);
        lockstep::device_buffer<int> busy(std::vector<int>{0});
        count_moments<<<span / 256, 256>>>(
            bars.data(), static_cast<int>(one.bars.size()), busy.data());
        lockstep::check(cudaGetLastError());
        verdict.holds(one.what, busy_time(one.bars) == busy.to_host()[0], one.advice);
    }
    return verdict.finish();
}
