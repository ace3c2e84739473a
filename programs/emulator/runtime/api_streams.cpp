// Streams, and host functions in them.

#include <algorithm>
#include <memory>

#include "captures.hpp"
#include "graphs.hpp"
#include "green_contexts.hpp"
#include "launches.hpp"
#include "pools.hpp"

using namespace emulator;

static cudaError_t make_stream(cudaStream_t* handle, unsigned flags, int priority) {
    return enter([=] {
        if (!handle || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        *handle = new_stream(flags != cudaStreamNonBlocking,
                             std::clamp(priority, hardware::greatest_stream_priority,
                                        hardware::least_stream_priority));
        if (const auto context = current_green_context()) adopt_stream(context, *handle);
        return cudaSuccess;
    });
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* handle) { return make_stream(handle, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned flags) {
    return make_stream(handle, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned flags, int priority) {
    return make_stream(handle, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return with_stream(handle, [=](device_stream& stream) {
        if (stream.capture) end_capture(*std::shared_ptr<stream_capture>(stream.capture));
        return forget_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!priority) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = stream.flags;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream(handle, [=](device_stream&) {
        if (!device) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!id) return cudaErrorInvalidValue;
        *id = stream.number;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID which,
                                   cudaLaunchAttributeValue* value) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!value) return cudaErrorInvalidValue;
        if (!is_of_memory(which)) return cudaErrorNotSupported;
        const auto found = stream.of_memory.find(which);
        *value = found == stream.of_memory.end() ? usual_value(which) : found->second;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID which,
                                   const cudaLaunchAttributeValue* value) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!value) return cudaErrorInvalidValue;
        if (!is_of_memory(which)) return cudaErrorNotSupported;
        const cudaError_t error = check_of_memory(which, *value);
        if (error == cudaSuccess) stream.of_memory[which] = *value;
        return error;
    });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return in_stream(handle, [](device_stream& stream) {
        if (spoils(stream) || spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        const stream_clock clock = stream.clock;
        const cudaError_t error = finished(
            stream.busy() ? stream.last
                          : std::make_shared<stream_operation>(stream_operation{.done = true}));
        host_saw(clock);
        trim_pools();
        return error;
    });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return in_stream(handle, [](device_stream& stream) {
        if (spoils(stream) || spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        work_for_a_while();
        if (sticky != cudaSuccess) return sticky;
        if (stream.busy()) return cudaErrorNotReady;
        host_saw(stream.clock);
        return cudaSuccess;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return in_stream(handle, [=](device_stream& stream) {
        if (!function) return cudaErrorInvalidValue;
        if (stream.capture) {
            const auto node = new_node(cudaGraphNodeTypeHost);
            node->host = {function, data};
            capture_node(stream, node);
            return cudaSuccess;
        }
        const work_item work = enqueue(stream, [=] {
            run_host_function([=] { function(data); });
            return cudaSuccess;
        });
        work->on_host = true;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
    return in_stream(handle, [=](device_stream& stream) {
        if (!function || flags != 0) return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        const work_item work = enqueue(stream, [=] {
            run_host_function([=] { function(handle, sticky, data); });
            return cudaSuccess;
        });
        work->on_host = true;
        work->even_after_errors = true;  // and told of the error, unlike a host function
        return cudaSuccess;
    });
}

}  // extern "C"
