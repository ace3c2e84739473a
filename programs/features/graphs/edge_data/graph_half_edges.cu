// What is an edge while a stream captures, before its second node is there? A half
// edge: the stream says on what its next node will depend, and how. It can be asked
// for, set by hand, given at the start; and one that does not wait cannot be dropped at
// the end.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/event.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/report.hpp>
#include <lockstep/stream.hpp>

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
    const lockstep::stream stream, side;
    const lockstep::event early(cudaEventDisableTiming), join(cudaEventDisableTiming);

    // [record]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaLaunchAttribute triggered{};
    triggered.id = cudaLaunchAttributeProgrammaticEvent;
    triggered.val.programmaticEvent.event = early;  // recorded by the trigger
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &triggered;
    config.numAttrs = 1;
    lockstep::check(cudaLaunchKernelEx(&config, primary, data.data()));
    lockstep::check(cudaStreamWaitEvent(side, early));
    // [/record]
    lockstep::report("half edge of the origin", port_of(stream));
    lockstep::report("half edge of the side", port_of(side));
    // [lossy]
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    std::size_t count = 0;
    const cudaError_t lossy =
        cudaStreamGetCaptureInfo(side, &status, &id, &graph, &nodes, nullptr, &count);
    // [/lossy]
    cudaGetLastError();
    lockstep::report("asked without edge data", cudaGetErrorName(lossy));
    secondary<<<1, 1, 0, side>>>(data.data(), found.data());
    lockstep::report("after the next kernel", port_of(side));
    lockstep::check(cudaEventRecord(join, side));
    lockstep::check(cudaStreamWaitEvent(stream, join));
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    lockstep::owned_graph captured(graph);

    cudaGraphEdgeData edge{};
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
    // [dropped]
    cudaGraph_t no_graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    primary<<<1, 1, 0, stream>>>(data.data());
    const cudaGraphNode_t* last = nullptr;
    lockstep::check(
        cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, nullptr, &count));
    cudaGraphNode_t node = last[0];
    lockstep::check(cudaStreamUpdateCaptureDependencies(
        stream, &node, &edge, 1, cudaStreamSetCaptureDependencies));
    const cudaError_t dropped = cudaStreamEndCapture(stream, &no_graph);
    // [/dropped]
    cudaGetLastError();
    lockstep::report("half edge left at the end", cudaGetErrorName(dropped));

    lockstep::check(cudaGraphLaunch(captured.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int result = found.to_host()[0];
    lockstep::report("number found", result);
    const bool right =
        lossy == cudaErrorLossyQuery && dropped != cudaSuccess && result == 9;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
