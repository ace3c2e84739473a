// What if a graph allocates and does not free? A second launch is refused, since the
// first allocation would be lost. Freed in between, or with auto-free, it may be
// launched again; and destroying the graph frees nothing.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 8 << 20;  // 32 MiB

/// Writes one value to all elements.
/// @param value  the value
/// @param x      n ints in device memory, written
__global__ void produce(int value, int* x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Adds one element to a sum.
/// @param x    n ints in device memory
/// @param sum  an int in device memory, grows
__global__ void consume(const int* x, int* sum) { *sum += x[n - 1]; }

// [footprint]
/// Memory of graphs, in MiB.
/// @param attribute  which memory
std::size_t graph_mib(cudaGraphMemAttributeType attribute) {
    std::size_t bytes = 0;
    lockstep::check(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes >> 20;
}

/// What a trim cannot give back, since it is not freed, in MiB.
std::size_t not_freed_mib() {
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaDeviceGraphMemTrim(0));
    return graph_mib(cudaGraphMemAttrReservedMemCurrent);
}
// [/footprint]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> sum(std::vector<int>(1, 0));
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    int* x = nullptr;
    lockstep::owned_graph graph;
    const cudaGraphNode_t allocate = lockstep::add_allocation_node(graph, {}, n, &x);
    lockstep::add_kernel_node(graph, {allocate}, n / 256, 256, produce, 7, x);
    cudaGraphExec_t producer = nullptr;
    lockstep::check(cudaGraphInstantiate(&producer, graph, 0));

    // [refused]
    lockstep::check(cudaGraphLaunch(producer, stream));
    const cudaError_t again = cudaGraphLaunch(producer, stream);
    cudaGetLastError();  // the refusal is no later call's error
    lockstep::check(cudaFreeAsync(x, stream));
    const cudaError_t after_free = cudaGraphLaunch(producer, stream);
    // [/refused]
    lockstep::report("launched again", cudaGetErrorName(again));
    lockstep::report("after cudaFreeAsync", cudaGetErrorName(after_free));
    // [free-now]
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaFree(x));  // at once
    const std::size_t after_free_now = not_freed_mib();
    // [/free-now]
    lockstep::report("not freed after cudaFree", after_free_now, "MiB");

    // [auto-free]
    lockstep::check(cudaGraphExecDestroy(producer));
    lockstep::check(cudaGraphInstantiateWithFlags(
        &producer, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int round = 0; round < 4; ++round) {
        lockstep::check(cudaGraphLaunch(producer, stream));  // frees what is left
        consume<<<1, 1, 0, stream>>>(x, sum.data());
        if (round % 2) consume<<<1, 1, 0, stream>>>(x, sum.data());
    }
    lockstep::check(cudaGetLastError());
    // [/auto-free]
    lockstep::check(cudaStreamSynchronize(stream));
    const int consumed = sum.to_host()[0];
    lockstep::report("consumed in four rounds", consumed);
    const std::size_t used = graph_mib(cudaGraphMemAttrUsedMemCurrent);
    const std::size_t alive = not_freed_mib();
    lockstep::report("before the end: used", used, "MiB");
    lockstep::report("before the end: not freed", alive, "MiB");

    // [destroy]
    lockstep::check(cudaGraphExecDestroy(producer));
    const std::size_t after_destroy = not_freed_mib();
    lockstep::check(cudaFreeAsync(x, stream));
    const std::size_t after_last_free = not_freed_mib();
    // [/destroy]
    lockstep::report("executable graph destroyed", after_destroy, "MiB");
    lockstep::report("after the last free", after_last_free, "MiB");
    const bool right = again == cudaErrorInvalidValue && after_free == cudaSuccess &&
                       consumed == 42 && after_free_now == 0 && alive == 32 &&
                       after_destroy == 32 && after_last_free == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
