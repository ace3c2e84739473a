// 1013 sweeps over a rod, each from one array into the other. The starter launches all
// of them one by one. Put some of them into a graph, launch it as often as it takes,
// and do the rest by plain launches. After the last sweep, the result must be in the
// array where the starter leaves it, and launch_sweep may be called at most 100 times.

#include <string>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;  // points of the rod

/// One sweep; one block of n threads.
/// @param from  n temperatures in device memory
/// @param to    n temperatures in device memory, written
__global__ void sweep(const int* from, int* to) {
    const int i = threadIdx.x;
    const bool edge = i == 0 || i == n - 1;
    to[i] = edge ? from[i] : (from[i - 1] + from[i + 1]) / 2;
}

// [rods]
/// Two arrays, and how often a sweep was launched.
struct rods {
    int* now;    ///< n temperatures in device memory
    int* next;   ///< room for n more
    int calls;  ///< of launch_sweep

    /// Enqueues a sweep; afterwards `now` is the array with its result.
    /// @param stream  where to
    void launch_sweep(cudaStream_t stream) {
        ++calls;
        sweep<<<1, n, 0, stream>>>(now, next);
        lockstep::check(cudaGetLastError());
        std::swap(now, next);
    }
};
// [/rods]

/// Makes many sweeps.
/// @param rod     the arrays
/// @param steps   how many sweeps
/// @param stream  where to
void make_sweeps(rods& rod, int steps, cudaStream_t stream) {
    // [task]
    constexpr int in_graph = 20;  // even: now and next are the same after each launch
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < in_graph; ++i) rod.launch_sweep(stream);
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::owned_graph graph(captured);
    graph.instantiate();
    for (int i = 0; i < steps / in_graph; ++i)
        lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    for (int i = 0; i < steps % in_graph; ++i) rod.launch_sweep(stream);
    lockstep::check(cudaStreamSynchronize(stream));  // before the graph is destroyed
    //= given
    //| for (int i = 0; i < steps; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamSynchronize(stream));
    //= mutant one_sweep_in_the_graph
    //| cudaGraph_t captured = nullptr;
    //| lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    //| rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamEndCapture(stream, &captured));
    //| lockstep::owned_graph graph(captured);
    //| graph.instantiate();
    //| for (int i = 0; i < steps; ++i)
    //|     lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    //| lockstep::check(cudaStreamSynchronize(stream));
    //= mutant odd_number_in_the_graph
    //| constexpr int in_graph = 25;
    //| cudaGraph_t captured = nullptr;
    //| lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    //| for (int i = 0; i < in_graph; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamEndCapture(stream, &captured));
    //| lockstep::owned_graph graph(captured);
    //| graph.instantiate();
    //| for (int i = 0; i < steps / in_graph; ++i)
    //|     lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    //| for (int i = 0; i < steps % in_graph; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamSynchronize(stream));
    //= mutant no_rest
    //| constexpr int in_graph = 20;
    //| cudaGraph_t captured = nullptr;
    //| lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    //| for (int i = 0; i < in_graph; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamEndCapture(stream, &captured));
    //| lockstep::owned_graph graph(captured);
    //| graph.instantiate();
    //| for (int i = 0; i < (steps + in_graph - 1) / in_graph; ++i)
    //|     lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    //| lockstep::check(cudaStreamSynchronize(stream));
    //= mutant for_1013_only
    //| (void)steps;
    //| constexpr int in_graph = 20;
    //| cudaGraph_t captured = nullptr;
    //| lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    //| for (int i = 0; i < in_graph; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamEndCapture(stream, &captured));
    //| lockstep::owned_graph graph(captured);
    //| graph.instantiate();
    //| for (int i = 0; i < 50; ++i)
    //|     lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    //| for (int i = 0; i < 13; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamSynchronize(stream));
    //= mutant captures_each_time
    //| constexpr int in_graph = 20;
    //| for (int i = 0; i < steps / in_graph; ++i) {
    //|     cudaGraph_t captured = nullptr;
    //|     lockstep::check(
    //|         cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    //|     for (int k = 0; k < in_graph; ++k) rod.launch_sweep(stream);
    //|     lockstep::check(cudaStreamEndCapture(stream, &captured));
    //|     lockstep::owned_graph graph(captured);
    //|     lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    //|     lockstep::check(cudaStreamSynchronize(stream));
    //| }
    //| for (int i = 0; i < steps % in_graph; ++i) rod.launch_sweep(stream);
    //| lockstep::check(cudaStreamSynchronize(stream));
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool timed = !options.flag("untimed");
    options.finish();
    lockstep::require_device();

    constexpr int steps = 1013;
    std::vector<int> start(n, 0);
    for (int i = 0; i < n; ++i) start[i] = 1000 * (i * 7 % 100);
    std::vector<std::vector<int>> after{start};  // [k]: after k sweeps
    for (int step = 0; step < steps + 50; ++step) {
        std::vector<int> next = start;
        for (int i = 1; i < n - 1; ++i)
            next[i] = (after[step][i - 1] + after[step][i + 1]) / 2;
        after.push_back(next);
    }
    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> d_a(start), d_b(start);
    lockstep::check(cudaDeviceSynchronize());
    rods rod{d_a.data(), d_b.data(), 0};
    make_sweeps(rod, steps, stream);
    lockstep::check(cudaStreamSynchronize(stream));

    lockstep::exercise_verdict verdict;
    const std::vector<int> found = d_b.to_host();
    std::string advice = "the array has the temperatures of no number of sweeps";
    for (int k = 0; k <= steps + 50; ++k)
        if (found == after[k])
            advice = "it has those after " + std::to_string(k) +
                     " sweeps: where does each launch of the graph begin, and where "
                     "does it end?";
    verdict.holds("temperatures after 1013", found == after[steps], advice.c_str());
    verdict.holds("at most 100 calls", rod.calls <= 100,
                  "launch_sweep was called more often; a graph is captured once");
    constexpr int fewer = 38;  // an even number: the result is in the first array
    lockstep::device_buffer<int> d_c(start), d_d(start);
    lockstep::check(cudaDeviceSynchronize());
    rods other{d_c.data(), d_d.data(), 0};
    make_sweeps(other, fewer, stream);
    lockstep::check(cudaStreamSynchronize(stream));
    if (d_c.to_host() != after[fewer])
        verdict.holds("temperatures after 38", false,
                      "they are others: does make_sweeps make as many sweeps as it is "
                      "asked for?");
    if (timed) {
        rods plain{d_a.data(), d_b.data(), 0}, yours = plain;
        const auto by_launches = [&] {
            for (int i = 0; i < steps; ++i) plain.launch_sweep(stream);
            lockstep::check(cudaStreamSynchronize(stream));
        };
        const auto by_you = [&] { make_sweeps(yours, steps, stream); };
        verdict.at_least("speed, of plain launches",
                         lockstep::time_on_host(by_launches).median_ms /
                             lockstep::time_on_host(by_you).median_ms,
                         1.3, "is the graph instantiated once, and large enough?");
    }
    return verdict.finish();
}
