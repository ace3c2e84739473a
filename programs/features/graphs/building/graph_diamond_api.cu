// How is a graph built node by node? Four kernels form a diamond: one node, two that
// depend on it, and one that depends on both. Each node takes a ticket when it runs, so
// the program can check that every edge was respected. The two in the middle may run in
// either order, or at the same time.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Takes a ticket, then stores factor * (*a + *b).
/// @param node     number of this node
/// @param tickets  how many tickets were taken so far, in device memory
/// @param order    ticket of each node, in device memory; this node's is written
/// @param factor   what the sum is multiplied by
/// @param a, b     operands in device memory
/// @param out      result in device memory, written
__global__ void combine(int node, int* tickets, int* order, int factor, const int* a,
                        const int* b, int* out) {
    order[node] = atomicAdd(tickets, 1);
    *out = factor * (*a + *b);
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int top = 0, left = 1, right = 2, bottom = 3;
    lockstep::device_buffer<int> d_values(std::vector<int>{1, -1, -1, -1, -1});
    lockstep::device_buffer<int> d_order(4), d_tickets(1);
    d_order.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());

    // [create]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));  // empty; the 0 is for flags
    // [/create]

    // [node]
    int* values = d_values.data();  // the input, then one result for each node
    const auto add_kernel = [&](int node, int factor, int a, int b,
                                const std::vector<cudaGraphNode_t>& dependencies) {
        int* tickets = d_tickets.data();
        int* order = d_order.data();
        int* from_a = values + a;
        int* from_b = values + b;
        int* out = values + 1 + node;
        void* parameters[] = {&node, &tickets, &order, &factor, &from_a, &from_b, &out};

        cudaGraphNodeParams params{};  // zeros: unused fields must be zero
        params.type = cudaGraphNodeTypeKernel;
        params.kernel.func = reinterpret_cast<void*>(combine);
        params.kernel.gridDim = dim3(1);
        params.kernel.blockDim = dim3(1);
        params.kernel.kernelParams = parameters;

        cudaGraphNode_t added = nullptr;
        lockstep::check(cudaGraphAddNode(&added, graph, dependencies.data(), nullptr,
                                         dependencies.size(), &params));
        return added;  // the arguments were copied, and may go out of scope
    };
    // [/node]

    // [diamond]
    const cudaGraphNode_t first = add_kernel(top, 2, 0, 0, {});
    const cudaGraphNode_t second = add_kernel(left, 3, 1, 1, {first});
    const cudaGraphNode_t third = add_kernel(right, 5, 1, 1, {first});
    add_kernel(bottom, 1, 2, 3, {second, third});
    // [/diamond]

    // [count]
    std::size_t nodes = 0, edges = 0, roots = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    lockstep::check(cudaGraphGetRootNodes(graph, nullptr, &roots));
    // [/count]

    // [run]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    const lockstep::owned_stream stream;
    bool respected = true;
    for (int launch = 0; launch < 100; ++launch) {
        lockstep::check(cudaMemsetAsync(d_tickets.data(), 0, sizeof(int), stream));
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        const std::vector<int> order = d_order.to_host();
        respected = respected && order[top] == 0 && order[bottom] == 3;
    }
    // [/run]
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    const int result = d_values.to_host()[1 + bottom];
    lockstep::report("nodes", nodes);
    lockstep::report("edges", edges);
    lockstep::report("nodes without dependency", roots);
    lockstep::report("launches", 100);
    lockstep::report("edges respected", respected);
    lockstep::report("result", result);
    const bool shape = nodes == 4 && edges == 4 && roots == 1;
    return shape && respected && result == 64 ? EXIT_SUCCESS : EXIT_FAILURE;
}
