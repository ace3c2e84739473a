// Two streams use the same scratch memory, which is allocated while they are captured.
// Write the rest of the capture: launch the two sums, each in its own stream, and free
// the memory. The graph must be safe in every order that it allows, and it must be
// possible to launch it twice.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1000;
constexpr int block = 128;

/// Writes 0, 1, 2, ... and clears the sums; one block.
/// @param x     n ints in device memory, written
/// @param sums  two ints in device memory, set to 0
__global__ void fill(int* x, int* sums) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
    if (threadIdx.x < 2) sums[threadIdx.x] = 0;
}

/// Adds up every second element; one block.
/// @param first  0 or 1: the first element that counts
/// @param x      n ints in device memory
/// @param sums   two ints in device memory; the one at `first` grows
__global__ void add_every_second(int first, const int* x, int* sums) {
    for (int i = 2 * threadIdx.x + first; i < n; i += 2 * blockDim.x)
        atomicAdd(&sums[first], x[i]);
}

/// Captures both sums and the free. The memory is allocated and filled in `stream`, and
/// `side` already waits for that.
/// @param stream  where the capture began
/// @param side    a second stream
/// @param event   for your use
/// @param x       n ints in device memory
/// @param sums    two ints in device memory
void capture_sums(cudaStream_t stream, cudaStream_t side, cudaEvent_t event, int* x,
                  int* sums) {
    // [task]
    add_every_second<<<1, block, 0, stream>>>(0, x, sums);
    add_every_second<<<1, block, 0, side>>>(1, x, sums);
    lockstep::check(cudaEventRecord(event, side));
    lockstep::check(cudaStreamWaitEvent(stream, event));
    lockstep::check(cudaFreeAsync(x, stream));
    //= given
    //| add_every_second<<<1, block, 0, stream>>>(0, x, sums);
    //| lockstep::check(cudaEventRecord(event, side));
    //| lockstep::check(cudaStreamWaitEvent(stream, event));
    //= mutant frees_before_the_join
    //| add_every_second<<<1, block, 0, stream>>>(0, x, sums);
    //| add_every_second<<<1, block, 0, side>>>(1, x, sums);
    //| lockstep::check(cudaFreeAsync(x, stream));
    //| lockstep::check(cudaEventRecord(event, side));
    //| lockstep::check(cudaStreamWaitEvent(stream, event));
    //= mutant frees_in_the_side_stream
    //| add_every_second<<<1, block, 0, stream>>>(0, x, sums);
    //| add_every_second<<<1, block, 0, side>>>(1, x, sums);
    //| lockstep::check(cudaFreeAsync(x, side));
    //| lockstep::check(cudaEventRecord(event, side));
    //| lockstep::check(cudaStreamWaitEvent(stream, event));
    //= mutant never_frees
    //| add_every_second<<<1, block, 0, stream>>>(0, x, sums);
    //| add_every_second<<<1, block, 0, side>>>(1, x, sums);
    //| lockstep::check(cudaEventRecord(event, side));
    //| lockstep::check(cudaStreamWaitEvent(stream, event));
    // [/task]
}

/// Whether there is a path between two nodes.
/// @param from  the first node
/// @param to    the last node
bool leads_to(cudaGraphNode_t from, cudaGraphNode_t to) {
    if (from == to) return true;
    std::size_t count = 0;
    lockstep::check(cudaGraphNodeGetDependentNodes(from, nullptr, nullptr, &count));
    std::vector<cudaGraphNode_t> next(count);
    lockstep::check(cudaGraphNodeGetDependentNodes(from, next.data(), nullptr, &count));
    for (const cudaGraphNode_t node : next)
        if (leads_to(node, to)) return true;
    return false;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> sums(2);
    sums.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream, side;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);
    int* x = nullptr;
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMallocAsync(&x, n * sizeof(int), stream));
    fill<<<1, block, 0, stream>>>(x, sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(side, fork));
    capture_sums(stream, side, join, x, sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &captured));

    lockstep::owned_graph graph(captured);
    std::size_t count = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count), kernels, frees;
    lockstep::check(cudaGraphGetNodes(graph, nodes.data(), &count));
    for (const cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        lockstep::check(cudaGraphNodeGetType(node, &type));
        if (type == cudaGraphNodeTypeKernel) kernels.push_back(node);
        if (type == cudaGraphNodeTypeMemFree) frees.push_back(node);
    }
    bool ordered = frees.size() == 1;
    for (const cudaGraphNode_t kernel : kernels)
        ordered = ordered && leads_to(kernel, frees[0]);

    lockstep::exercise_verdict verdict(0x55555555);
    verdict.holds("three kernels", kernels.size() == 3, "launch both sums");
    verdict.holds("one free node", frees.size() == 1, "free the memory once");
    verdict.holds("free after all users", ordered,
                  "which kernels must have ended before the free?");
    const cudaGraphExec_t executable = graph.instantiate();
    for (const char* launch : {"first launch", "second launch"}) {
        const cudaError_t error = cudaGraphLaunch(executable, stream);
        lockstep::check(cudaStreamSynchronize(stream));
        verdict.holds(launch, error == cudaSuccess, "does the memory outlive it?");
    }
    const auto place = [](std::size_t i) {
        return i == 0 ? "the sum from element 0 on" : "the sum from element 1 on";
    };
    verdict.equal("sums", sums.to_host(), {249'500, 250'000}, place);
    return verdict.finish();
}
