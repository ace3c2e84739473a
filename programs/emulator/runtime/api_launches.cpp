// Launches of kernels into streams.

#include <utility>

#include "captures.hpp"
#include "events.hpp"
#include "kernels.hpp"
#include "launches.hpp"

using namespace emulator;

// A launch that is refused spoils the capture that it was meant for.
static cudaError_t launch_in_stream(const launch_request& wanted, cudaStream_t handle) {
    return in_stream(handle, [&](device_stream& stream) {
        kernel_launch made;
        const cudaError_t error = make_launch(wanted, &made);
        if (error != cudaSuccess)
            spoils(stream);
        else
            enqueue(stream, std::move(made));
        return error;
    });
}

// The events that a launch records by itself: here, when the kernel has ended.
static cudaError_t record_events(const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        cudaEvent_t event = nullptr;
        if (config.attrs[i].id == cudaLaunchAttributeProgrammaticEvent)
            event = config.attrs[i].val.programmaticEvent.event;
        if (config.attrs[i].id == cudaLaunchAttributeLaunchCompletionEvent)
            event = config.attrs[i].val.launchCompletionEvent.event;
        if (!event) continue;
        const cudaError_t error = cudaEventRecord(event, config.stream);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
    return launch_in_stream({stub, grid, block, arguments, shared}, stream);
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
