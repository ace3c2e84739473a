// Can a program say by itself on what the next captured node depends, and how? Yes: at
// the start of a capture into a graph, and at any time later, with edge data for each
// node that it names.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

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

/// Name of the port of a stream's half edge, while it captures.
/// @param stream  the stream, with one half edge
const char* port_of(cudaStream_t stream) {
    // [info]
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    lockstep::check(
        cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
    // [/info]
    if (count != 1) return "not one edge";
    return edges[0].from_port == cudaGraphKernelNodePortProgrammatic ? "programmatic"
                                                                     : "default";
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> data(1), found(1);
    data.fill_bytes(0);
    found.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    lockstep::owned_graph graph;
    const cudaGraphNode_t first =
        lockstep::add_kernel_node(graph, {}, 1, 1, primary, data.data());

    // [start]
    cudaGraphEdgeData early{};
    early.from_port = cudaGraphKernelNodePortProgrammatic;
    early.type = cudaGraphDependencyTypeProgrammatic;
    lockstep::check(cudaStreamBeginCaptureToGraph(stream, graph, &first, &early, 1,
                                                  cudaStreamCaptureModeGlobal));
    // [/start]
    const char* at_start = port_of(stream);
    // [later]
    cudaGraphNode_t same = first;
    const cudaGraphEdgeData ordinary{};
    lockstep::check(cudaStreamUpdateCaptureDependencies(
        stream, &same, &ordinary, 1, cudaStreamSetCaptureDependencies));
    const char* then = port_of(stream);
    lockstep::check(cudaStreamUpdateCaptureDependencies(
        stream, &same, &early, 1, cudaStreamSetCaptureDependencies));
    secondary<<<1, 1, 0, stream>>>(data.data(), found.data());
    lockstep::check(cudaGetLastError());
    // [/later]
    const char* at_end = port_of(stream);
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int result = found.to_host()[0];
    lockstep::report("given at the start", at_start);
    lockstep::report("replaced", then);
    lockstep::report("after the next kernel", at_end);
    lockstep::report("number found", result);
    return result == 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
