// A step of the solver is captured as a chain: sweep, total, change, hottest, record.
// The three tasks in the middle read what the sweep wrote and nothing of each other,
// and record needs all three. Give each of the three a stream of its own, so that the
// graph has three branches. The result must not change.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 16;  // points of a side; the tasks differ in their blocks' sizes

/// @param a  n x n temperatures in device memory; n blocks of n threads
/// @param b  the same after a sweep, written
__global__ void sweep(const int* a, int* b) {
    const int x = threadIdx.x, y = blockIdx.x, i = y * n + x;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        b[i] = (a[i - n] + a[i + n] + a[i - 1] + a[i + 1]) / 4;
}

/// @param b    n x n temperatures in device memory; one block of 256 threads
/// @param sum  in device memory, increased by all of them
__global__ void total(const int* b, int* sum) { atomicAdd(sum, b[threadIdx.x]); }

/// @param a, b     n x n temperatures each in device memory; two blocks of 128 threads
/// @param largest  in device memory, at least the largest difference afterwards
__global__ void change(const int* a, const int* b, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(largest, abs(b[i] - a[i]));
}

/// @param b        n x n temperatures in device memory; four blocks of 64 threads
/// @param highest  in device memory, at least the highest inner temperature afterwards
__global__ void hottest(const int* b, int* highest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) atomicMax(highest, b[i]);
}

/// @param found  three numbers in device memory, cleared; one thread
/// @param kept   the same three, written
__global__ void record(int* found, int* kept) {
    for (int i = 0; i < 3; ++i) kept[i] = found[i], found[i] = 0;
}

/// The name of a task's node, from the size of its blocks.
std::string name_of(cudaGraphNode_t node) {
    cudaKernelNodeParams params{};
    lockstep::check(cudaGraphKernelNodeGetParams(node, &params));
    switch (params.blockDim.x) {
        case n: return "sweep";
        case 256: return "total";
        case 128: return "change";
        case 64: return "hottest";
        default: return "record";
    }
}

int main() {
    lockstep::require_device();

    std::vector<int> plate(n * n, 0);
    for (int i = 0; i < n; ++i) plate[i] = 1000 * (20 + i);
    lockstep::device_buffer<int> d_a(plate), d_b(plate), d_found(3), d_kept(3);
    d_found.fill_bytes(0);
    d_kept.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    const int* a = d_a.data();
    int *b = d_b.data(), *found = d_found.data(), *kept = d_kept.data();
    const lockstep::owned_stream stream, second, third;
    const lockstep::owned_event swept(cudaEventDisableTiming);
    const lockstep::owned_event second_done(cudaEventDisableTiming);
    const lockstep::owned_event third_done(cudaEventDisableTiming);

    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    // [task]
    sweep<<<n, n, 0, stream>>>(a, b);
    lockstep::check(cudaEventRecord(swept, stream));
    lockstep::check(cudaStreamWaitEvent(second, swept));
    lockstep::check(cudaStreamWaitEvent(third, swept));
    total<<<1, 256, 0, stream>>>(b, &found[0]);
    change<<<2, 128, 0, second>>>(a, b, &found[1]);
    hottest<<<4, 64, 0, third>>>(b, &found[2]);
    lockstep::check(cudaEventRecord(second_done, second));
    lockstep::check(cudaEventRecord(third_done, third));
    lockstep::check(cudaStreamWaitEvent(stream, second_done));
    lockstep::check(cudaStreamWaitEvent(stream, third_done));
    record<<<1, 1, 0, stream>>>(found, kept);
    //= given
    //| // There are two more streams, second and third, and three events: swept,
    //| // second_done, third_done.
    //| sweep<<<n, n, 0, stream>>>(a, b);
    //| total<<<1, 256, 0, stream>>>(b, &found[0]);
    //| change<<<2, 128, 0, stream>>>(a, b, &found[1]);
    //| hottest<<<4, 64, 0, stream>>>(b, &found[2]);
    //| record<<<1, 1, 0, stream>>>(found, kept);
    //= mutant third_never_comes_back
    //| sweep<<<n, n, 0, stream>>>(a, b);
    //| lockstep::check(cudaEventRecord(swept, stream));
    //| lockstep::check(cudaStreamWaitEvent(second, swept));
    //| lockstep::check(cudaStreamWaitEvent(third, swept));
    //| total<<<1, 256, 0, stream>>>(b, &found[0]);
    //| change<<<2, 128, 0, second>>>(a, b, &found[1]);
    //| hottest<<<4, 64, 0, third>>>(b, &found[2]);
    //| lockstep::check(cudaEventRecord(second_done, second));
    //| lockstep::check(cudaStreamWaitEvent(stream, second_done));
    //| record<<<1, 1, 0, stream>>>(found, kept);
    //= mutant forks_before_the_sweep
    //| lockstep::check(cudaEventRecord(swept, stream));
    //| sweep<<<n, n, 0, stream>>>(a, b);
    //| lockstep::check(cudaStreamWaitEvent(second, swept));
    //| lockstep::check(cudaStreamWaitEvent(third, swept));
    //| total<<<1, 256, 0, stream>>>(b, &found[0]);
    //| change<<<2, 128, 0, second>>>(a, b, &found[1]);
    //| hottest<<<4, 64, 0, third>>>(b, &found[2]);
    //| lockstep::check(cudaEventRecord(second_done, second));
    //| lockstep::check(cudaEventRecord(third_done, third));
    //| lockstep::check(cudaStreamWaitEvent(stream, second_done));
    //| lockstep::check(cudaStreamWaitEvent(stream, third_done));
    //| record<<<1, 1, 0, stream>>>(found, kept);
    //= mutant joins_before_the_kernel
    //| sweep<<<n, n, 0, stream>>>(a, b);
    //| lockstep::check(cudaEventRecord(swept, stream));
    //| lockstep::check(cudaStreamWaitEvent(second, swept));
    //| lockstep::check(cudaStreamWaitEvent(third, swept));
    //| lockstep::check(cudaEventRecord(second_done, second));
    //| lockstep::check(cudaEventRecord(third_done, third));
    //| total<<<1, 256, 0, stream>>>(b, &found[0]);
    //| change<<<2, 128, 0, second>>>(a, b, &found[1]);
    //| hottest<<<4, 64, 0, third>>>(b, &found[2]);
    //| lockstep::check(cudaStreamWaitEvent(stream, second_done));
    //| lockstep::check(cudaStreamWaitEvent(stream, third_done));
    //| record<<<1, 1, 0, stream>>>(found, kept);
    //= mutant third_waits_for_second
    //| sweep<<<n, n, 0, stream>>>(a, b);
    //| lockstep::check(cudaEventRecord(swept, stream));
    //| lockstep::check(cudaStreamWaitEvent(second, swept));
    //| total<<<1, 256, 0, stream>>>(b, &found[0]);
    //| change<<<2, 128, 0, second>>>(a, b, &found[1]);
    //| lockstep::check(cudaEventRecord(second_done, second));
    //| lockstep::check(cudaStreamWaitEvent(third, second_done));
    //| hottest<<<4, 64, 0, third>>>(b, &found[2]);
    //| lockstep::check(cudaEventRecord(third_done, third));
    //| lockstep::check(cudaStreamWaitEvent(stream, third_done));
    //| record<<<1, 1, 0, stream>>>(found, kept);
    // [/task]
    cudaGraph_t made = nullptr;
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t ended = cudaStreamEndCapture(stream, &made);
    cudaGetLastError();

    lockstep::exercise_verdict verdict;
    verdict.holds("each launch was captured", launched == cudaSuccess,
                  "a launch into a capturing stream failed");
    verdict.holds("every branch came back", ended == cudaSuccess,
                  "a stream joined the capture, and its last task is followed by no "
                  "event that stream waits for");
    if (!made) return verdict.finish();
    lockstep::owned_graph graph(made);
    std::size_t count = 0;
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    lockstep::graph_nodes from(count), to(count);
    lockstep::check(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count));
    std::vector<std::string> edges, wanted;
    for (std::size_t i = 0; i < count; ++i)
        edges.push_back(name_of(from[i]) + " -> " + name_of(to[i]));
    for (const char* task : {"total", "change", "hottest"}) {
        wanted.push_back(std::string("sweep -> ") + task);
        wanted.push_back(std::string(task) + " -> record");
    }
    const auto first_outside = [](const std::vector<std::string>& these,
                                  const std::vector<std::string>& all) {
        for (const std::string& one : these)
            if (std::find(all.begin(), all.end(), one) == all.end()) return one;
        return std::string();
    };
    const std::string missing = first_outside(wanted, edges);
    const std::string other = first_outside(edges, wanted);
    verdict.holds("no edge is missing", missing.empty(),
                  ("the graph has no edge " + missing).c_str());
    verdict.holds("no edge is superfluous", other.empty(),
                  ("no data passes along the edge " + other).c_str());
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const std::vector<int> after = d_b.to_host();
    std::vector<int> expected(3, 0);
    for (int i = 0; i < n * n; ++i) {
        expected[0] += after[i];
        expected[1] = std::max(expected[1], std::abs(after[i] - plate[i]));
        if (i >= n) expected[2] = std::max(expected[2], after[i]);
    }
    verdict.equal("total, change, hottest", d_kept.to_host(), expected);
    return verdict.finish();
}
