// The device, its limits, and its reset.

#include "captures.hpp"
#include "device_runtime.hpp"
#include "error_log.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pools.hpp"
#include "properties.hpp"
#include "textures.hpp"

using namespace emulator;

// Remembered, for a cache that is not here.
static size_t persisting_l2_bytes = hardware::l2_persisting_default;
static size_t stack_bytes = hardware::stack_bytes_default;
static size_t printf_bytes = hardware::printf_bytes_default;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) return refuse(cudaErrorInvalidValue);
    driver_initialized = true;
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device == 0) return enter([] { return cudaSuccess; });
    return look([=] {
        return log_reason(cudaErrorInvalidDevice, "Invalid device number " +
                                                      std::to_string(device) +
                                                      " provided, must be in the range of 0 to 0");
    });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return enter([=] {
        if (!can) return cudaErrorInvalidValue;
        if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
        *can = 0;  // of itself
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return refuse(flags       ? cudaErrorInvalidValue
                  : peer == 0 ? cudaErrorPeerAccessUnsupported
                              : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) { return refuse(cudaErrorInvalidDevice); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaGetDevice(int* device) {
    if (!device) return refuse(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    return look([=] {
        if (!p) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *p = properties();
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    return look([=] {
        if (device != 0) return cudaErrorInvalidDevice;
        return value && attribute(value, which) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaDeviceSynchronize() {
    return enter([] {
        if (lose_captures([](const device_stream&) { return true; }))
            return cudaErrorStreamCaptureUnsupported;
        const cudaError_t error = finished(nullptr);
        host_saw_all();
        trim_pools();
        return error == cudaSuccess ? error : log_refusal_by("cuCtxSynchronize_v2", error);
    });
}
cudaError_t cudaDeviceReset() {
    entry_lock lock;
    (void)lock;
    reset_context();
    forget_textures();
    persisting_l2_bytes = hardware::l2_persisting_default;
    stack_bytes = hardware::stack_bytes_default;
    printf_bytes = hardware::printf_bytes_default;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }  // no profiler looks on
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    return enter([=] {
        if (which == cudaLimitMallocHeapSize) heap_limit = value;
        if (which == cudaLimitDevRuntimePendingLaunchCount) most_pending_launches = value;
        if (which == cudaLimitStackSize) stack_bytes = value;
        if (which == cudaLimitPrintfFifoSize) printf_bytes = value;
        if (which == cudaLimitPersistingL2CacheSize) {
            if (value > size_t(hardware::l2_persisting_bytes)) return cudaErrorInvalidValue;
            persisting_l2_bytes = rounded_up(value, size_t(hardware::l2_persisting_unit));
        }
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
    return enter([=] {
        if (!value) return cudaErrorInvalidValue;
        if (which == cudaLimitPersistingL2CacheSize) {
            *value = persisting_l2_bytes;
            return cudaSuccess;
        }
        if (which == cudaLimitStackSize || which == cudaLimitPrintfFifoSize) {
            *value = which == cudaLimitStackSize ? stack_bytes : printf_bytes;
            return cudaSuccess;
        }
        return cudaError_t(__emu_device_limit(value, which));
    });
}
// There is no cache that would keep anything.
cudaError_t cudaCtxResetPersistingL2Cache() {
    return enter([] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = hardware::least_stream_priority;
    if (greatest) *greatest = hardware::greatest_stream_priority;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) return refuse(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return enter([=] {
        if (free) *free = free_bytes();
        if (total) *total = total_bytes();
        return cudaSuccess;
    });
}

}  // extern "C"
