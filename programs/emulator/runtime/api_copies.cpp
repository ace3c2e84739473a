// Copies and fills.

#include "captures.hpp"
#include "copies.hpp"
#include "error_log.hpp"
#include "memory.hpp"

using namespace emulator;

extern "C" {

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](device_stream& stream) {
        return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, true);
    });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
    });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](device_stream& stream) {
        const cudaError_t error = copy(to, bytes, from, bytes, bytes, 1, kind, stream, true);
        const memory_allocation* source = find_allocation(from, true);
        if (error == cudaErrorInvalidValue && kind == cudaMemcpyDeviceToHost && source &&
            source->freed)
            return log_refusal_by("cuMemcpyDtoH_v2", error, "Allocation not found");
        return error == cudaErrorInvalidMemcpyDirection ? log_reason(error) : error;
    });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t handle) {
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, handle);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return in_stream(nullptr, [=](device_stream& stream) {
        return fill(to, pitch, value, width, height, stream, true);
    });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        return fill(to, pitch, value, width, height, stream, false);
    });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return cudaMemset2D(to, bytes, value, bytes, 1);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t handle) {
    return cudaMemset2DAsync(to, bytes, value, bytes, 1, handle);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* wanted) {
    return in_stream(nullptr, [=](device_stream& stream) {
        return wanted ? copy(*wanted, stream, true) : cudaErrorInvalidValue;
    });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* wanted, cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        return wanted ? copy(*wanted, stream, false) : cudaErrorInvalidValue;
    });
}
// There is one device, which is its own peer.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
    if (to_device != 0 || from_device != 0) return refuse(cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t handle) {
    if (to_device != 0 || from_device != 0) return refuse(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, handle);
}

static cudaError_t fill_layers(const cudaPitchedPtr& area, int value, const cudaExtent& size,
                               device_stream& stream, bool wait) {
    for (size_t layer = 0; layer < size.depth; ++layer) {
        unsigned char* begin =
            static_cast<unsigned char*>(area.ptr) + layer * area.ysize * area.pitch;
        const cudaError_t error =
            fill(begin, area.pitch, value, size.width, size.height, stream, wait);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
cudaError_t cudaMemset3D(cudaPitchedPtr area, int value, cudaExtent size) {
    return in_stream(nullptr, [=](device_stream& stream) {
        return fill_layers(area, value, size, stream, true);
    });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr area, int value, cudaExtent size,
                              cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        return fill_layers(area, value, size, stream, false);
    });
}

}  // extern "C"
