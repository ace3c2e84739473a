// What is an edge while a stream captures, before its second node is there? A half
// edge: the stream knows on what its next node will depend, and how. A program can ask
// for it. Does one that does not wait for all of a node join a stream to its origin?
// The guide says no; the last captures show what the driver does.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
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
    const lockstep::owned_stream stream, side;
    const lockstep::owned_event early(cudaEventDisableTiming);
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);

    // [record]
    const auto launch_primary = [&](cudaStream_t where) {
        cudaLaunchAttribute triggered{};
        triggered.id = cudaLaunchAttributeProgrammaticEvent;
        triggered.val.programmaticEvent.event = early;  // recorded by the trigger
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(1);
        config.stream = where;
        config.attrs = &triggered;
        config.numAttrs = 1;
        lockstep::check(cudaLaunchKernelEx(&config, primary, data.data()));
    };
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_primary(stream);
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
    cudaGetLastError();  // cleared: the call's own status is kept
    lockstep::report("asked without edge data", cudaGetErrorName(lossy));
    secondary<<<1, 1, 0, side>>>(data.data(), found.data());
    lockstep::check(cudaGetLastError());
    lockstep::report("after the next kernel", port_of(side));
    lockstep::check(cudaEventRecord(join, side));
    lockstep::check(cudaStreamWaitEvent(stream, join));
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    lockstep::owned_graph captured(graph);

    // [join]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(side, fork));
    launch_primary(side);
    lockstep::check(cudaEventRecord(join, side));  // the end of the kernel
    lockstep::check(cudaStreamWaitEvent(stream, join));
    cudaGraph_t joined = nullptr;
    const cudaError_t end = cudaStreamEndCapture(stream, &joined);
    // [/join]
    lockstep::report("joined at the end", cudaGetErrorName(end));
    if (joined) lockstep::check(cudaGraphDestroy(joined));
    // [mistakes]
    const auto join_at_trigger = [&](bool next_kernel) {
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        lockstep::check(cudaEventRecord(fork, stream));
        lockstep::check(cudaStreamWaitEvent(side, fork));
        launch_primary(side);
        lockstep::check(cudaStreamWaitEvent(stream, early));  // wrong: its trigger
        if (next_kernel) secondary<<<1, 1, 0, stream>>>(data.data(), found.data());
        lockstep::check(cudaGetLastError());
        cudaGraph_t ended = nullptr;
        const cudaError_t error = cudaStreamEndCapture(stream, &ended);
        if (ended) lockstep::check(cudaGraphDestroy(ended));
        cudaGetLastError();  // cleared: the call's own status is kept
        return cudaGetErrorName(error);
    };
    lockstep::report("joined at the trigger", join_at_trigger(false));
    lockstep::report("trigger, and a kernel more", join_at_trigger(true));
    // [/mistakes]
    lockstep::check(cudaGraphLaunch(captured.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int result = found.to_host()[0];
    lockstep::report("number found", result);
    return lossy == cudaErrorLossyQuery && end == cudaSuccess && result == 9
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
