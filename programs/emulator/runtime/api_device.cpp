// The device, its limits, and its reset.

#include "captures.hpp"
#include "device_runtime.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pools.hpp"
#include "properties.hpp"

using namespace emulator;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (!count) return refuse(cudaErrorInvalidValue);
    driver_initialized = true;
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    return device == 0 ? enter([] { return cudaSuccess; }) : refuse(cudaErrorInvalidDevice);
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
        return error;
    });
}
cudaError_t cudaDeviceReset() {
    entry_lock lock;
    (void)lock;
    reset_context();
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    return enter([=] {
        if (which == cudaLimitMallocHeapSize) heap_limit = value;
        if (which == cudaLimitDevRuntimePendingLaunchCount) most_pending_launches = value;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
    return enter([=] {
        if (!value) return cudaErrorInvalidValue;
        return cudaError_t(__emu_device_limit(value, which));
    });
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
