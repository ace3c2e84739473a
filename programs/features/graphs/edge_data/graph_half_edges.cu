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
    const auto launch_primary = [&] {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticEvent;
        attribute.val.programmaticEvent.event = early;  // recorded by the trigger
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(1);
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        lockstep::check(cudaLaunchKernelEx(&config, primary, data.data()));
        lockstep::check(cudaStreamWaitEvent(side, early));
    };
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_primary();
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

    // [dropped]
    cudaGraph_t no_graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_primary();  // and nothing more in the side stream
    lockstep::check(cudaEventRecord(join, side));
    lockstep::check(cudaStreamWaitEvent(stream, join));
    const cudaError_t dropped = cudaStreamEndCapture(stream, &no_graph);
    // [/dropped]
    cudaGetLastError();
    lockstep::report("half edge left at the end", cudaGetErrorName(dropped));

    // [by-hand]
    lockstep::owned_graph mine;
    const cudaGraphNode_t first =
        lockstep::add_kernel_node(mine, {}, 1, 1, primary, data.data());
    cudaGraphEdgeData edge{};
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
    lockstep::check(cudaStreamBeginCaptureToGraph(stream, mine, &first, &edge, 1,
                                                  cudaStreamCaptureModeGlobal));
    lockstep::report("half edge from the start", port_of(stream));
    const cudaGraphEdgeData ordinary{};
    cudaGraphNode_t same = first;
    lockstep::check(cudaStreamUpdateCaptureDependencies(
        stream, &same, &ordinary, 1, cudaStreamSetCaptureDependencies));
    lockstep::report("set to an ordinary one", port_of(stream));
    secondary<<<1, 1, 0, stream>>>(data.data(), found.data());
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/by-hand]

    bool right = lossy == cudaErrorLossyQuery && dropped != cudaSuccess;
    for (lockstep::owned_graph* each : {&captured, &mine}) {
        found.fill_bytes(0x55);
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaGraphLaunch(each->instantiate(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
        right = right && found.to_host()[0] == 9;
    }
    lockstep::report("both graphs right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
