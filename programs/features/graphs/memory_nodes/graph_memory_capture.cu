// What becomes of cudaMallocAsync and cudaFreeAsync while a stream captures? An
// allocation node and a free node, ordered like the calls: also where a second stream
// uses the memory, as long as it is joined before the memory is freed.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes 0, 1, 2, ... and clears the sums; one block.
/// @param n     number of elements
/// @param x     n ints in device memory, written
/// @param sums  two ints in device memory, set to 0
__global__ void fill(int n, int* x, int* sums) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
    if (threadIdx.x < 2) sums[threadIdx.x] = 0;
}

/// Adds up every second element; one block.
/// @param n      number of elements
/// @param first  0 or 1: the first element that counts
/// @param x      n ints in device memory
/// @param sums   two ints in device memory; the one at `first` grows
__global__ void add_every_second(int n, int first, const int* x, int* sums) {
    for (int i = 2 * threadIdx.x + first; i < n; i += 2 * blockDim.x)
        atomicAdd(&sums[first], x[i]);
}

/// Counts the nodes of a kind.
/// @param graph  the graph
/// @param kind   the kind
std::size_t count_nodes(cudaGraph_t graph, cudaGraphNodeType kind) {
    std::size_t n = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &n));
    std::vector<cudaGraphNode_t> nodes(n);
    lockstep::check(cudaGraphGetNodes(graph, nodes.data(), &n));
    std::size_t found = 0;
    for (const cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        lockstep::check(cudaGraphNodeGetType(node, &type));
        found += type == kind;
    }
    return found;
}

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    constexpr int block = 128;
    lockstep::device_buffer<int> sums(2);
    sums.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream, side;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);

    // [capture]
    int* x = nullptr;
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMallocAsync(&x, n * sizeof(int), stream));
    fill<<<1, block, 0, stream>>>(n, x, sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(side, fork));
    add_every_second<<<1, block, 0, stream>>>(n, 0, x, sums.data());
    add_every_second<<<1, block, 0, side>>>(n, 1, x, sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(join, side));
    lockstep::check(cudaStreamWaitEvent(stream, join));  // both have used it
    lockstep::check(cudaFreeAsync(x, stream));
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    // [/capture]

    lockstep::owned_graph graph(captured);
    lockstep::report("kernel nodes", count_nodes(graph, cudaGraphNodeTypeKernel));
    lockstep::report("allocation nodes", count_nodes(graph, cudaGraphNodeTypeMemAlloc));
    lockstep::report("free nodes", count_nodes(graph, cudaGraphNodeTypeMemFree));
    const cudaGraphExec_t executable = graph.instantiate();
    int right = 0;
    for (int launch = 0; launch < 3; ++launch) {
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        right += sums.to_host() == std::vector<int>{249'500, 250'000};
    }
    lockstep::report("launches with right sums", right);
    return right == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
