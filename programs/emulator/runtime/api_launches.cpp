// Launches of kernels into streams.

#include <cstdio>
#include <utility>

#include "captures.hpp"
#include "error_log.hpp"
#include "events.hpp"
#include "graphs.hpp"
#include "green_contexts.hpp"
#include "kernels.hpp"
#include "launches.hpp"
#include "unseen_errors.hpp"

using namespace emulator;

// What may begin early depends on the kernel before by its trigger.
static void capture_kernel(device_stream& stream, kernel_launch launch,
                           const std::map<int, cudaLaunchAttributeValue>& of_memory) {
    const auto node = new_node(cudaGraphNodeTypeKernel);
    if (launch.early)
        for (graph_edge& edge : stream.tail)
            if (edge.from->type == cudaGraphNodeTypeKernel && edge.data.type == 0)
                edge.data = {cudaGraphKernelNodePortProgrammatic,
                             0,
                             cudaGraphDependencyTypeProgrammatic,
                             {}};
    launch.early = false;
    node->launch = std::move(launch);
    node->attributes = of_memory;
    bind_arguments(*node);
    capture_node(stream, node);
}

// Kernels in a stream of a green context run on its SMs.
static cudaError_t put_on_sms(kernel_launch& made, const device_stream& stream) {
    if (!stream.green) {
        const bool by_default =
            &stream == stream_of(nullptr) || &stream == stream_of(cudaStreamPerThread);
        if (!by_default || !current_green_context()) return cudaSuccess;
        fflush(stdout);
        fprintf(stderr, "emulator: the emulator lacks the default stream of a green context\n");
        return cudaErrorNotSupported;
    }
    made.sms = stream.green->places;
    const size_t resident =
        made.sms->size() *
        size_t(resident_blocks(*made.kernel, int(volume(made.block)), made.dynamic_shared));
    return made.cooperative && volume(made.grid) > resident ? cudaErrorCooperativeLaunchTooLarge
                                                            : cudaSuccess;
}

// A launch that is refused spoils the capture that it was meant for. A kernel that launches graphs
// must be in one: a capture puts it there.
static cudaError_t launch_in_stream(const launch_request& wanted, cudaStream_t handle) {
    return in_stream(handle, [&](device_stream& stream) {
        kernel_launch made;
        cudaError_t error = make_launch(wanted, &made);
        if (error == cudaSuccess) error = put_on_sms(made, stream);
        if (error == cudaSuccess && !stream.capture && launches_graphs(*made.kernel))
            error = cudaErrorNotSupported;
        if (error != cudaSuccess)
            spoils(stream);
        else if (stream.capture)
            capture_kernel(stream, std::move(made), wanted.of_memory);
        else
            enqueue(stream, std::move(made));
        return error;
    });
}

// The events that a launch records by itself. In a capture what waits for such an event depends on
// the kernel by its trigger, or by its beginning.
static cudaError_t record_events(const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttributeValue& value = config.attrs[i].val;
        const bool at_trigger = config.attrs[i].id == cudaLaunchAttributeProgrammaticEvent;
        if (!at_trigger && config.attrs[i].id != cudaLaunchAttributeLaunchCompletionEvent) continue;
        const cudaEvent_t handle =
            at_trigger ? value.programmaticEvent.event : value.launchCompletionEvent.event;
        const bool at_begin = !at_trigger || value.programmaticEvent.triggerAtBlockStart;
        const std::shared_ptr<device_event> event = events.find(handle);
        device_stream* stream = stream_of(config.stream);
        if (event && stream && !stream->capture) {
            event->recorded = enqueue_early(*stream, note_time(event, ++event->records), at_begin);
            event->captured = nullptr;
            event->clock = stream->clock;
            continue;
        }
        const cudaError_t error = cudaEventRecord(handle, config.stream);
        if (error != cudaSuccess) return error;
        if (event && event->captured)
            for (graph_edge& edge : event->tail)
                edge.data = {
                    static_cast<unsigned char>(at_begin ? cudaGraphKernelNodePortLaunchCompletion
                                                        : cudaGraphKernelNodePortProgrammatic),
                    0,
                    static_cast<unsigned char>(at_trigger ? cudaGraphDependencyTypeProgrammatic
                                                          : cudaGraphDependencyTypeDefault),
                    {}};
    }
    return cudaSuccess;
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
    const driver_function name("cuLaunchKernel");
    const cudaError_t error = launch_in_stream({stub, grid, block, arguments, shared}, stream);
    const bool told = sticky != cudaSuccess || log_is_heard();  // a fault has been told, too
    end_launch(told ? cudaSuccess : error);
    return error;
}
cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
    return launch_in_stream({stub, grid, block, arguments, shared, dim3(0, 0, 0), true}, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub,
                                void** arguments) {
    if (!config || (config->numAttrs && !config->attrs)) return refuse(cudaErrorInvalidValue);
    launch_request wanted{stub, config->gridDim, config->blockDim, arguments,
                          config->dynamicSmemBytes};
    const cudaError_t known = read_attributes(config->attrs, config->numAttrs, &wanted);
    if (known != cudaSuccess) return enter([=] { return known; });
    const cudaError_t error = launch_in_stream(wanted, config->stream);
    return error == cudaSuccess ? record_events(*config) : error;
}

}  // extern "C"
