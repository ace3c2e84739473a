// What else can an edge of a graph say than "after"? Its edge data names a port of the
// first node, when the edge fires, and a type. Here the edge fires when the first
// kernel says so; a query that has no room for that is refused.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Lets the next kernel start, and stores a number at its end; one thread.
/// @param data  an int in device memory, written
__global__ void primary(int* data) {
    cudaTriggerProgrammaticLaunchCompletion();
    *data = 9;
}

/// Waits for the kernel before, and copies its number; one thread.
/// @param data   an int in device memory
/// @param found  an int in device memory, written
__global__ void secondary(const int* data, int* found) {
    cudaGridDependencySynchronize();
    *found = *data;
}
// [/kernels]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> data(1), found(1);
    data.fill_bytes(0);
    found.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graph;
    const cudaGraphNode_t first =
        lockstep::add_kernel_node(graph, {}, 1, 1, primary, data.data());
    const cudaGraphNode_t second = lockstep::add_kernel_node(graph, {}, 1, 1, secondary,
                                                             data.data(), found.data());

    // [edge]
    cudaGraphEdgeData edge{};  // all zero: an ordinary dependency
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.to_port = 0;  // no kind of node has another one
    edge.type = cudaGraphDependencyTypeProgrammatic;
    lockstep::check(cudaGraphAddDependencies(graph, &first, &second, &edge, 1));
    // [/edge]

    // [query]
    std::size_t count = 1;
    cudaGraphNode_t from = nullptr, to = nullptr;
    const cudaError_t without = cudaGraphGetEdges(graph, &from, &to, nullptr, &count);
    count = 1;
    const cudaError_t of_node =
        cudaGraphNodeGetDependencies(second, &from, nullptr, &count);
    cudaGetLastError();  // the refusals are no later call's error
    count = 1;
    cudaGraphEdgeData found_edge{};
    const cudaError_t with = cudaGraphGetEdges(graph, &from, &to, &found_edge, &count);
    // [/query]
    lockstep::report("edges without edge data", cudaGetErrorName(without));
    lockstep::report("dependencies without it", cudaGetErrorName(of_node));
    lockstep::report("edges with edge data", cudaGetErrorName(with));
    lockstep::report("outgoing port", int{found_edge.from_port});
    lockstep::report("incoming port", int{found_edge.to_port});
    lockstep::report("type", int{found_edge.type});

    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int result = found.to_host()[0];
    lockstep::report("number found", result);
    const bool right = without == cudaErrorLossyQuery &&
                       of_node == cudaErrorLossyQuery && with == cudaSuccess &&
                       found_edge.from_port == cudaGraphKernelNodePortProgrammatic &&
                       found_edge.type == cudaGraphDependencyTypeProgrammatic &&
                       result == 9;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
