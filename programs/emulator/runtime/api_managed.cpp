// Managed memory: advice, prefetches and their attributes.

#include "captures.hpp"
#include "memory_sides.hpp"

using namespace emulator;

static cudaError_t managed_range(const void* p, size_t bytes, memory_allocation** found) {
    *found = host_allocation(p);
    return bytes > 0 && *found && (*found)->kind == managed_memory && fits(p, bytes)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}
static bool no_such_device(cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice && location.id != 0;
}
static int number_of(cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

extern "C" {

// Which stream's kernels may use memory says nothing here, where the host may touch it at any time.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* p, size_t length, unsigned flags) {
    return in_stream(handle, [=](device_stream& stream) {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
            flags != cudaMemAttachSingle)
            return cudaErrorInvalidValue;
        memory_allocation* found = host_allocation(p);
        if (!found || found->kind != managed_memory ||
            (length != 0 && (found->begin != uintptr_t(p) || found->bytes != length)))
            return cudaErrorInvalidValue;
        if (flags == cudaMemAttachSingle && &stream == stream_of(nullptr))
            return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}

cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
    return enter([=] {
        memory_allocation* found = nullptr;
        const cudaError_t error = managed_range(p, bytes, &found);
        if (error != cudaSuccess) return error;
        if (no_such_device(location)) return cudaErrorInvalidDevice;
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
            return cudaErrorInvalidValue;
        if (advice == cudaMemAdviseSetReadMostly) found->read_mostly = true;
        if (advice == cudaMemAdviseUnsetReadMostly) found->read_mostly = false;
        if (advice == cudaMemAdviseSetPreferredLocation) found->preferred = number_of(location);
        if (advice == cudaMemAdviseUnsetPreferredLocation) found->preferred = cudaInvalidDeviceId;
        return cudaSuccess;
    });
}
cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        if (flags != 0) return cudaErrorInvalidValue;
        if (no_such_device(location)) return cudaErrorInvalidDevice;
        memory_allocation* found = nullptr;
        const cudaError_t error = managed_range(p, bytes, &found);
        if (error != cudaSuccess) return error;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        found->prefetched = number_of(location);
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, cudaMemRangeAttribute which,
                                     const void* p, size_t length) {
    return enter([=] {
        memory_allocation* found = nullptr;
        const cudaError_t error = managed_range(p, length, &found);
        if (error != cudaSuccess) return error;
        if (!data) return cudaErrorInvalidValue;
        if (bytes != sizeof(int)) return cudaErrorNotSupported;
        int& value = *static_cast<int*>(data);
        switch (which) {
            case cudaMemRangeAttributeReadMostly: value = found->read_mostly; return cudaSuccess;
            case cudaMemRangeAttributePreferredLocation:
                value = found->preferred;
                return cudaSuccess;
            case cudaMemRangeAttributeLastPrefetchLocation:
                value = found->prefetched;
                return cudaSuccess;
            default: return cudaErrorNotSupported;
        }
    });
}

}  // extern "C"
