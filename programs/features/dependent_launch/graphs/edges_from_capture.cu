// Which edge does stream capture make of a programmatic dependency? Five pairs of
// kernels are captured, and each graph is asked for the type and the port of its edge.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// The primary: triggers, and stores 9.
/// @param data  one int in device memory, written
__global__ void primary(int* data) {
    // a first part of the work
    cudaTriggerProgrammaticLaunchCompletion();
    *data = 9;  // the rest: the secondary may have started
}

/// The secondary: waits, and copies.
/// @param data   one int in device memory
/// @param found  one int in device memory, written
__global__ void secondary(const int* data, int* found) {
    // the prologue stands here: it uses nothing of the primary
    cudaGridDependencySynchronize();
    *found = *data;
}

/// The name of a port that a kernel node can have.
const char* name_of_port(unsigned char port) {
    if (port == cudaGraphKernelNodePortProgrammatic) return "programmatic";
    if (port == cudaGraphKernelNodePortLaunchCompletion) return "launch completion";
    return port == cudaGraphKernelNodePortDefault ? "default" : "unknown";
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> data(1);
    lockstep::device_buffer<int> found(1);
    const lockstep::owned_stream stream;
    const lockstep::owned_stream side;
    const lockstep::owned_event event(cudaEventDisableTiming);
    const lockstep::owned_event joined(cudaEventDisableTiming);
    bool right = true;
    const auto begin = [&] {
        lockstep::check(
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    };
    // [inspect]
    const auto inspect = [&](const char* form, unsigned char expected_type,
                             unsigned char expected_port) {
        cudaGraph_t graph{};
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        cudaGraphNode_t from{};
        cudaGraphNode_t to{};
        cudaGraphEdgeData edge{};
        std::size_t edges = 1;
        lockstep::check(cudaGraphGetEdges(graph, &from, &to, &edge, &edges));
        // [/inspect]
        std::printf("%-34s%-14s%s\n", form,
                    edge.type == cudaGraphDependencyTypeProgrammatic ? "programmatic"
                                                                     : "default",
                    name_of_port(edge.from_port));
        right = right && edges == 1 && edge.type == expected_type &&
                edge.from_port == expected_port;
        found.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        cudaGraphExec_t executable{};
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(graph));
        right = right && found.to_host()[0] == 9;
    };
    const auto config_with = [](cudaStream_t where, cudaLaunchAttribute* attribute) {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(1);
        config.stream = where;
        config.attrs = attribute;
        config.numAttrs = attribute ? 1 : 0;
        return config;
    };
    std::printf("%-34s%-14s%s\n", "captured", "type", "outgoing port");

    begin();
    primary<<<1, 1, 0, stream>>>(data.data());
    lockstep::check(cudaGetLastError());
    secondary<<<1, 1, 0, stream>>>(data.data(), found.data());
    lockstep::check(cudaGetLastError());
    inspect("plain launches", cudaGraphDependencyTypeDefault,
            cudaGraphKernelNodePortDefault);

    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t dependent = config_with(stream, &early);
    begin();
    primary<<<1, 1, 0, stream>>>(data.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaLaunchKernelEx(&dependent, secondary, data.data(), found.data()));
    inspect("stream serialization", cudaGraphDependencyTypeProgrammatic,
            cudaGraphKernelNodePortProgrammatic);

    // [event]
    const auto capture_with_event = [&](cudaLaunchAttribute& record) {
        const cudaLaunchConfig_t recording = config_with(stream, &record);
        begin();
        lockstep::check(cudaLaunchKernelEx(&recording, primary, data.data()));
        lockstep::check(cudaStreamWaitEvent(side, event));
        secondary<<<1, 1, 0, side>>>(data.data(), found.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(joined, side));
        lockstep::check(cudaStreamWaitEvent(stream, joined));
    };
    cudaLaunchAttribute record{};
    record.id = cudaLaunchAttributeProgrammaticEvent;
    record.val.programmaticEvent.event = event;
    record.val.programmaticEvent.triggerAtBlockStart = 0;
    capture_with_event(record);
    inspect("event, triggerAtBlockStart = 0", cudaGraphDependencyTypeProgrammatic,
            cudaGraphKernelNodePortProgrammatic);

    record.val.programmaticEvent.triggerAtBlockStart = 1;
    capture_with_event(record);
    inspect("event, triggerAtBlockStart = 1", cudaGraphDependencyTypeProgrammatic,
            cudaGraphKernelNodePortLaunchCompletion);

    cudaLaunchAttribute begun{};
    begun.id = cudaLaunchAttributeLaunchCompletionEvent;
    begun.val.launchCompletionEvent.event = event;
    capture_with_event(begun);
    // [/event]
    inspect("launch completion event", cudaGraphDependencyTypeDefault,
            cudaGraphKernelNodePortLaunchCompletion);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
