// Can a graph allocate the memory that its own nodes use? Yes: an allocation node gives
// an address when it is added, and a free node ends the memory's life. The address is
// the same in each launch and each instantiation, so that kernels can simply hold it.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Kernel a: writes 0, 1, 2, ... and clears the sums; one block.
/// @param n     number of elements
/// @param x     n ints in device memory, written
/// @param sums  two ints in device memory, set to 0
__global__ void a_fill(int n, int* x, int* sums) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
    if (threadIdx.x < 2) sums[threadIdx.x] = 0;
}

/// Kernels b and c: add up every second element; one block.
/// @param n      number of elements
/// @param first  0 or 1: the first element that counts
/// @param x      n ints in device memory
/// @param sums   two ints in device memory; the one at `first` grows
__global__ void add_every_second(int n, int first, const int* x, int* sums) {
    for (int i = 2 * threadIdx.x + first; i < n; i += 2 * blockDim.x)
        atomicAdd(&sums[first], x[i]);
}

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    constexpr int block = 128;
    lockstep::device_buffer<int> sums(2);
    sums.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    // [allocate]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaGraphNodeParams allocation{};
    allocation.type = cudaGraphNodeTypeMemAlloc;
    allocation.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.alloc.poolProps.location.id = 0;
    allocation.alloc.bytesize = n * sizeof(int);
    cudaGraphNode_t allocate = nullptr;
    lockstep::check(
        cudaGraphAddNode(&allocate, graph, nullptr, nullptr, 0, &allocation));
    int* x = static_cast<int*>(allocation.alloc.dptr);  // known before any launch
    // [/allocate]

    // [use]
    const cudaGraphNode_t a = lockstep::add_kernel_node(graph, {allocate}, 1, block,
                                                        a_fill, n, x, sums.data());
    const cudaGraphNode_t b = lockstep::add_kernel_node(
        graph, {a}, 1, block, add_every_second, n, 0, x, sums.data());
    const cudaGraphNode_t c = lockstep::add_kernel_node(
        graph, {a}, 1, block, add_every_second, n, 1, x, sums.data());
    // [/use]

    // [free]
    cudaGraphNodeParams release{};
    release.type = cudaGraphNodeTypeMemFree;
    release.free.dptr = x;
    const cudaGraphNode_t users[] = {b, c};  // b and c come after a
    cudaGraphNode_t free_node = nullptr;
    lockstep::check(cudaGraphAddNode(&free_node, graph, users, nullptr, 2, &release));
    // [/free]

    int right = 0;
    bool same_address = true;
    // [launches]
    for (int instance = 0; instance < 2; ++instance) {
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        for (int launch = 0; launch < 3; ++launch) {
            lockstep::check(cudaGraphLaunch(executable, stream));
            lockstep::check(cudaStreamSynchronize(stream));
            cudaMemAllocNodeParams now{};
            lockstep::check(cudaGraphMemAllocNodeGetParams(allocate, &now));
            same_address = same_address && now.dptr == x;
            right += sums.to_host() == std::vector<int>{249'500, 250'000};
        }
        lockstep::check(cudaGraphExecDestroy(executable));
    }
    // [/launches]

    std::size_t nodes = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::report("nodes", nodes);
    lockstep::report("instantiations", 2);
    lockstep::report("launches with right sums", right);
    lockstep::report("address always the same", same_address);
    return right == 6 && same_address ? EXIT_SUCCESS : EXIT_FAILURE;
}
