// Can a graph with memory nodes be part of another one? Only if the parent takes it
// over: the child is then no graph of its own anymore.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes the sum of 0 to n - 1 by way of memory of the graph; one thread.
/// @param n    number of elements
/// @param x    n ints in device memory, written
/// @param sum  an int in device memory, written
__global__ void fill_and_add(int n, int* x, int* sum) {
    for (int i = 0; i < n; ++i) x[i] = i;
    *sum = 0;
    for (int i = 0; i < n; ++i) *sum += x[i];
}

int main() {
    lockstep::require_device();

    constexpr int n = 100;
    lockstep::device_buffer<int> sum(1);
    sum.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    cudaGraph_t child = nullptr;
    lockstep::check(cudaGraphCreate(&child, 0));
    int* x = nullptr;
    const cudaGraphNode_t allocate = lockstep::add_allocation_node(child, {}, n, &x);
    const cudaGraphNode_t added = lockstep::add_kernel_node(
        child, {allocate}, 1, 1, fill_and_add, n, x, sum.data());
    lockstep::add_free_node(child, {added}, x);

    // [move]
    lockstep::owned_graph parent;
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = child;
    params.graph.ownership = cudaGraphChildGraphOwnershipMove;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &params));
    // [/move]
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(parent.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int found = sum.to_host()[0];
    lockstep::report("sum by the child", found);

    int refused = 0;
    const auto show = [&](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        refused += error != cudaSuccess;
        cudaGetLastError();  // cleared: the call's own status is kept
    };
    // [afterwards]
    cudaGraphExec_t alone = nullptr;
    show("child instantiated alone", cudaGraphInstantiate(&alone, child, 0));
    const lockstep::owned_graph second_parent;
    show("moved to a second parent",
         cudaGraphAddNode(&node, second_parent, nullptr, nullptr, 0, &params));
    cudaGraphNodeParams more = lockstep::allocation_params(n);
    show("one more allocation node",
         cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &more));
    cudaGraphExecUpdateResultInfo info{};
    show("used for an update", cudaGraphExecUpdate(parent.executable(), child, &info));
    show("child destroyed alone", cudaGraphDestroy(child));
    // [/afterwards]
    return found == 4950 && refused == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
