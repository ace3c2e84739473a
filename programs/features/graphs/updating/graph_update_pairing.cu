// How does an update know which new node belongs to which old one? The order of the
// edges counts, and that of the nodes at the end. A graph of the same shape that was
// built in another order can be refused, so build it in the same order every time.

#include <cstdlib>
#include <utility>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores a number.
/// @param number  what is stored
/// @param to      one int in device memory, written
__global__ void store(int number, int* to) { *to = number; }

/// Adds two numbers.
/// @param a, b  one int each in device memory
/// @param sum   one int in device memory, written
__global__ void add(const int* a, const int* b, int* sum) { *sum = *a + *b; }

/// In which order a graph is built.
struct order {
    bool kernel_first;  ///< the kernel is added before the memory set
    bool kernel_edge_first;  ///< and so is its edge to the last node
};

// [build]
/// Builds a graph: a kernel and a memory set, and perhaps a kernel that needs both.
/// @param number  what the first kernel stores
/// @param d_x     three ints in device memory
/// @param last    whether there is a last kernel; otherwise the two others are sinks
/// @param how     in which order nodes and edges are added
cudaGraph_t build(int number, int* d_x, bool last, order how) {
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    int* a = d_x;
    int* b = d_x + 1;
    int* sum = d_x + 2;
    void* store_arguments[] = {&number, &a};
    void* add_arguments[] = {&a, &b, &sum};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(store);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = store_arguments;
    cudaMemsetParams clear{};
    clear.dst = b;
    clear.elementSize = sizeof(int);
    clear.width = clear.height = 1;

    cudaGraphNode_t stored = nullptr, cleared = nullptr, added = nullptr;
    for (const bool now : {how.kernel_first, !how.kernel_first})
        lockstep::check(
            now ? cudaGraphAddKernelNode(&stored, graph, nullptr, 0, &kernel)
                : cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &clear));
    if (!last) return graph;
    cudaGraphNode_t before[] = {stored, cleared};
    if (!how.kernel_edge_first) std::swap(before[0], before[1]);
    kernel.func = reinterpret_cast<void*>(add);
    kernel.kernelParams = add_arguments;
    lockstep::check(cudaGraphAddKernelNode(&added, graph, before, 2, &kernel));
    return graph;
}
// [/build]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(3);
    const lockstep::owned_stream stream;
    bool same_order_works = false, never_wrong = true;
    const struct {
        const char* what;
        bool last;
        order how;
    } cases[] = {{"same order", true, {true, true}},
                 {"nodes in another order", true, {false, true}},
                 {"edges in another order", true, {true, false}},
                 {"both in another order", true, {false, false}},
                 {"sinks in another order", false, {false, true}}};
    for (const auto& one : cases) {
        d_x.fill_bytes(0xFF);
        lockstep::check(cudaDeviceSynchronize());
        // [update]
        const cudaGraph_t first = build(1, d_x.data(), one.last, {true, true});
        const cudaGraph_t second = build(2, d_x.data(), one.last, one.how);
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, first, 0));
        cudaGraphExecUpdateResultInfo info{};
        const cudaError_t error = cudaGraphExecUpdate(executable, second, &info);
        cudaGetLastError();  // cleared: the call's own status is kept
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        // [/update]
        const int stored = d_x.to_host()[0];  // 2 if the update came through
        lockstep::report(one.what, error == cudaSuccess ? "updated" : "refused");
        lockstep::report("  stored", stored);
        if (&one == cases) same_order_works = error == cudaSuccess;
        never_wrong = never_wrong && stored == (error == cudaSuccess ? 2 : 1);
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(first));
        lockstep::check(cudaGraphDestroy(second));
    }
    return same_order_works && never_wrong ? EXIT_SUCCESS : EXIT_FAILURE;
}
