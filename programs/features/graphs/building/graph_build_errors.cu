// Which mistakes does CUDA find while a graph is built, and which only when it is
// instantiated? Wrong arguments of a single call are refused at once. A cycle needs the
// whole graph, so instantiation finds it.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// Adds an empty node without dependencies.
/// @param graph  where it is added
cudaGraphNode_t add_empty(cudaGraph_t graph) {
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    return node;
}

int main() {
    lockstep::require_device();

    cudaGraph_t graph = nullptr, other = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphCreate(&other, 0));
    bool right = true;
    const auto refused = [&](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        right = right && error != cudaSuccess;
        cudaGetLastError();  // the next case begins without it
    };

    // [edges]
    cudaGraphNode_t a = add_empty(graph), b = add_empty(graph), c = add_empty(graph);
    cudaGraphNode_t foreign = add_empty(other);
    const auto edge = [&](cudaGraphNode_t from, cudaGraphNode_t to) {
        return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
    };
    lockstep::check(edge(a, b));
    refused("the same edge twice", edge(a, b));
    refused("an edge to itself", edge(a, a));
    refused("a node of another graph", edge(foreign, a));
    // [/edges]

    // [parameters]
    lockstep::device_buffer<double> d_x(16);
    cudaMemsetParams eight_bytes{};
    eight_bytes.dst = d_x.data();
    eight_bytes.elementSize = sizeof(double);
    eight_bytes.width = d_x.size();
    eight_bytes.height = 1;
    cudaGraphNode_t node = nullptr;
    refused("memory set of 8 bytes each",
            cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &eight_bytes));
    cudaKernelNodeParams large{};
    large.func = reinterpret_cast<void*>(nothing);
    large.gridDim = dim3(1);
    large.blockDim = dim3(2048);  // a block has at most 1,024 threads
    refused("a block of 2,048 threads",
            cudaGraphAddKernelNode(&node, graph, nullptr, 0, &large));
    // [/parameters]

    // [cycle]
    lockstep::check(edge(b, c));
    lockstep::report("an edge that closes a cycle", cudaGetErrorName(edge(c, a)));
    cudaGraphInstantiateParams how{};
    cudaGraphExec_t executable = nullptr;
    refused("instantiate the cycle",
            cudaGraphInstantiateWithParams(&executable, graph, &how));
    lockstep::report("result: invalid structure",
                     how.result_out == cudaGraphInstantiateInvalidStructure);
    // [/cycle]

    // [repair]
    lockstep::check(cudaGraphRemoveDependencies(graph, &c, &a, nullptr, 1));
    lockstep::check(cudaGraphInstantiateWithParams(&executable, graph, &how));
    // [/repair]
    lockstep::report("without that edge", how.result_out == cudaGraphInstantiateSuccess
                                              ? "instantiated"
                                              : "refused");
    right = right && how.result_out == cudaGraphInstantiateSuccess;
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaGraphDestroy(other));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
