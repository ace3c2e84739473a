// Does an update change a launch that runs already, or one that is enqueued? No. The
// first node of the graph waits for the host. While the first launch is there, the host
// gives the second node a new number and launches again, twice.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>
#include <lockstep/stream_latch.hpp>

/// What the host and the first node tell each other, in pinned host memory.
struct gate {
    lockstep::shared_flag reached;  ///< raised by the kernel
    lockstep::shared_flag open;  ///< raised by the host
    lockstep::shared_flag passed;  ///< raised by the kernel
};

// [kernels]
/// The first node: waits for the host, but not for ever; one thread.
/// @param g  in pinned host memory
__global__ void wait(gate* g) {
    const long long start = clock64();
    g->reached.raise();
    while (!g->open.raised() && clock64() - start < lockstep::latch_patience) {
    }
    g->passed.raise();
}

/// The second node: appends a number to a list; one thread.
/// @param number  the number
/// @param list    in device memory: how many there are, and the numbers
__global__ void append(int number, int* list) { list[++list[0]] = number; }
// [/kernels]

int main() {
    lockstep::require_device();

    gate* g = nullptr;
    lockstep::check(cudaMallocHost(&g, sizeof *g));
    *g = gate{};
    lockstep::device_buffer<int> d_list(8);
    d_list.fill_bytes(0);
    int number = 1;
    int* list = d_list.data();
    lockstep::owned_graph graph;
    const cudaGraphNode_t waits = lockstep::add_kernel_node(graph, {}, 1, 1, wait, g);
    const cudaGraphNode_t appends =
        lockstep::add_kernel_node(graph, {waits}, 1, 1, append, number, list);
    const cudaGraphExec_t executable = graph.instantiate();
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphUpload(executable, stream));
    lockstep::check(cudaDeviceSynchronize());

    void* arguments[] = {&number, &list};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(append);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    lockstep::check(cudaGraphLaunch(executable, stream));  // with 1
    const auto launched = std::chrono::steady_clock::now();
    while (!g->reached.raised() &&
           std::chrono::steady_clock::now() - launched < std::chrono::seconds(5)) {
    }
    // [updates]
    number = 2;  // the first launch runs
    lockstep::check(cudaGraphExecKernelNodeSetParams(executable, appends, &params));
    lockstep::check(cudaGraphLaunch(executable, stream));  // waits for the first
    number = 3;  // and the second is enqueued
    lockstep::check(cudaGraphExecKernelNodeSetParams(executable, appends, &params));
    lockstep::check(cudaGraphLaunch(executable, stream));
    const bool running = g->reached.raised() && !g->passed.raised();
    g->open.raise();
    lockstep::check(cudaStreamSynchronize(stream));
    // [/updates]
    const std::vector<int> found = d_list.to_host();
    lockstep::report("first launch still runs", running);
    lockstep::report("first launch appended", found[1]);
    lockstep::report("second launch appended", found[2]);
    lockstep::report("third launch appended", found[3]);
    lockstep::check(cudaFreeHost(g));
    // a tool may make a launch wait for its end; then nothing is shown, and nothing
    // wrong
    return found[0] == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
