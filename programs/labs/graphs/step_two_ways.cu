// Four tasks form a diamond: is the graph that capture makes of two streams and two
// events the same as the one that is built by hand, from a table of what each task
// reads and writes? It has the same edges, and both give the same result.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 32;  // points of a side of the plate

/// What the steps leave in device memory.
struct notes {
    int total;    ///< sum of all temperatures after a sweep
    int largest;  ///< largest change of a temperature by a sweep
    int seen[2];  ///< total and largest of the last step
};

// [tasks]
/// @param a  n x n temperatures in device memory; n blocks of n threads
/// @param b  the same after a sweep, written
__global__ void sweep(const int* a, int* b) {
    const int x = threadIdx.x, y = blockIdx.x, i = y * n + x;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        b[i] = (a[i - n] + a[i + n] + a[i - 1] + a[i + 1]) / 4;
}

/// @param b    n x n temperatures in device memory; one block of n x n threads
/// @param sum  in device memory, 0 before
__global__ void total(const int* b, int* sum) { atomicAdd(sum, b[threadIdx.x]); }

/// @param a, b     n x n temperatures each in device memory; two blocks of n x n / 2
/// @param largest  in device memory, 0 before
__global__ void change(const int* a, const int* b, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(largest, abs(b[i] - a[i]));
}

/// @param all  in device memory: total and largest are kept and cleared; one thread
__global__ void record(notes* all) { *all = {0, 0, {all->total, all->largest}}; }
// [/tasks]

/// The edges of a graph as text, in alphabetical order. The number of threads in a
/// block tells which task a node is.
std::vector<std::string> edges_of(cudaGraph_t graph) {
    std::size_t count = 0;
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    lockstep::graph_nodes from(count), to(count);
    lockstep::check(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count));
    const auto name = [](cudaGraphNode_t node) -> std::string {
        cudaKernelNodeParams params{};
        lockstep::check(cudaGraphKernelNodeGetParams(node, &params));
        const unsigned threads = params.blockDim.x;
        if (threads == 1) return "record";
        return threads == n ? "sweep" : threads == n * n ? "total" : "change";
    };
    std::vector<std::string> edges;
    for (std::size_t i = 0; i < count; ++i)
        edges.push_back(name(from[i]) + " -> " + name(to[i]));
    std::sort(edges.begin(), edges.end());
    return edges;
}

int main() {
    lockstep::require_device();

    std::vector<int> plate(n * n, 0);
    for (int i = 0; i < n; ++i) plate[i] = 1000 * (20 + i);  // one warm edge
    const lockstep::device_buffer<int> d_a(plate);
    lockstep::device_buffer<int> d_b(plate);
    lockstep::device_buffer<notes> d_notes(1);
    d_notes.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const int* a = d_a.data();
    int* b = d_b.data();
    notes* all = d_notes.data();

    // [by-hand]
    using lockstep::add_kernel_node;
    lockstep::owned_graph by_hand;
    const auto swept = add_kernel_node(by_hand, {}, n, n, sweep, a, b);
    const auto summed =
        add_kernel_node(by_hand, {swept}, 1, n * n, total, b, &all->total);
    const auto compared =
        add_kernel_node(by_hand, {swept}, 2, n * n / 2, change, a, b, &all->largest);
    add_kernel_node(by_hand, {summed, compared}, 1, 1, record, all);
    // [/by-hand]

    const lockstep::owned_stream stream, other;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);
    // [capture]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sweep<<<n, n, 0, stream>>>(a, b);
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(other, fork));  // other joins the capture
    total<<<1, n * n, 0, stream>>>(b, &all->total);
    change<<<2, n * n / 2, 0, other>>>(a, b, &all->largest);
    lockstep::check(cudaEventRecord(join, other));
    lockstep::check(cudaStreamWaitEvent(stream, join));  // other comes back
    record<<<1, 1, 0, stream>>>(all);
    lockstep::check(cudaGetLastError());
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/capture]
    lockstep::owned_graph captured(graph);

    const std::vector<std::string> edges = edges_of(by_hand);
    for (const std::string& edge : edges) lockstep::report("edge", edge.c_str());
    const bool same = edges == edges_of(captured);
    lockstep::report("captured: same edges", same);
    std::vector<int> seen[2];
    for (lockstep::owned_graph* one : {&by_hand, &captured}) {
        lockstep::check(cudaGraphLaunch(one->instantiate(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
        const notes found = d_notes.to_host()[0];
        seen[one == &captured] = {found.seen[0], found.seen[1]};
    }
    int sum = 0, largest = 0;
    const std::vector<int> after = d_b.to_host();
    for (int i = 0; i < n * n; ++i) {
        sum += after[i];
        largest = std::max(largest, std::abs(after[i] - plate[i]));
    }
    const bool right = seen[0] == std::vector<int>{sum, largest} && seen[0] == seen[1];
    lockstep::report("total, C", sum / 1000);
    lockstep::report("largest change, C", largest / 1000.0);
    lockstep::report("both results right", right);
    return same && right && edges.size() == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
