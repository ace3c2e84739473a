// Do two allocations of graphs need twice the memory? Inside a graph, one that comes
// after the free of another may get its address. Between graphs, addresses differ, but
// graphs that cannot run at once may share the memory under them.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device_clock.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int bytes = 64 << 20;

/// Writes one byte to all elements and takes some time.
/// @param x     bytes in device memory, written
/// @param time  nanoseconds
__global__ void fill(char* x, unsigned long long time) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes;
         i += gridDim.x * blockDim.x)
        x[i] = 1;
    lockstep::busy_wait(time);
}

/// A graph that allocates 64 MiB, fills them, and frees them.
/// @param x  set to the address
lockstep::owned_graph allocate_fill_free(char** x) {
    lockstep::owned_graph graph;
    const cudaGraphNode_t allocate = lockstep::add_allocation_node(graph, {}, bytes, x);
    const cudaGraphNode_t filled =
        lockstep::add_kernel_node(graph, {allocate}, 64, 256, fill, *x, 5'000'000ULL);
    lockstep::add_free_node(graph, {filled}, *x);
    graph.instantiate();
    return graph;
}

/// Memory that the driver keeps for all graphs, in MiB.
std::size_t reserved_mib() {
    std::size_t reserved = 0;
    lockstep::check(cudaDeviceGetGraphMemAttribute(
        0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    return reserved >> 20;
}

int main() {
    lockstep::require_device();

    // [one-graph]
    const lockstep::owned_graph graph;
    char* first = nullptr;
    char* after_free = nullptr;
    char* beside = nullptr;
    const cudaGraphNode_t allocate_1 =
        lockstep::add_allocation_node(graph, {}, bytes, &first);
    const cudaGraphNode_t free_1 = lockstep::add_free_node(graph, {allocate_1}, first);
    lockstep::add_allocation_node(graph, {free_1}, bytes, &after_free);
    lockstep::add_allocation_node(graph, {}, bytes, &beside);
    // [/one-graph]
    lockstep::report("after a free: same address", after_free == first);
    lockstep::report("not ordered: same address",
                     beside == first || beside == after_free);

    // [two-graphs]
    char* a = nullptr;
    char* b = nullptr;
    const lockstep::owned_graph graph_a = allocate_fill_free(&a);
    const lockstep::owned_graph graph_b = allocate_fill_free(&b);
    lockstep::report("two graphs: same address", a == b);
    lockstep::report("reserved before a launch", reserved_mib(), "MiB");
    const lockstep::owned_stream stream, other;
    lockstep::check(cudaGraphLaunch(graph_a.executable(), stream));
    lockstep::check(cudaGraphLaunch(graph_b.executable(), stream));
    lockstep::check(cudaDeviceSynchronize());
    const std::size_t one_stream = reserved_mib();
    lockstep::check(cudaGraphLaunch(graph_a.executable(), stream));
    lockstep::check(cudaGraphLaunch(graph_b.executable(), other));
    lockstep::check(cudaDeviceSynchronize());
    const std::size_t two_streams = reserved_mib();
    // [/two-graphs]
    lockstep::report("reserved, one stream", one_stream, "MiB");
    lockstep::report("reserved, two streams", two_streams, "MiB");

    // [trim]
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 0));
    lockstep::check(cudaMemPoolTrimTo(pool, 0));  // another pool
    const std::size_t other_pool_trimmed = reserved_mib();
    lockstep::check(cudaDeviceGraphMemTrim(0));
    const std::size_t trimmed = reserved_mib();
    // [/trim]
    lockstep::report("after cudaMemPoolTrimTo", other_pool_trimmed, "MiB");
    lockstep::report("after trimming graph memory", trimmed, "MiB");
    const bool right = beside != first && a != b && one_stream < 128 &&
                       two_streams >= one_stream && other_pool_trimmed == two_streams &&
                       trimmed == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
