// Memory: allocated, freed, registered, asked about.

#include "api_memory.hpp"

#include "captures.hpp"
#include "memory_sides.hpp"

namespace emulator {

static cudaError_t hand_out(void** pointer, size_t bytes, memory_kind kind) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = allocate(bytes, kind);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t give_in_stream(void** pointer, size_t bytes, memory_kind kind, cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        const cudaError_t error = hand_out(pointer, bytes, kind);
        if (error == cudaSuccess && *pointer &&
            stream.capture) {  // it is there whenever the graph has come so far
            find_allocation(*pointer)->of_graph = true;
            enqueue(stream, [allocated = *pointer] {
                set_present(allocated, true);
                return cudaSuccess;
            });
        }
        return error;
    });
}

}  // namespace emulator

using namespace emulator;

static cudaError_t give(void** pointer, size_t bytes, memory_kind kind) {
    return between_captures([=] { return hand_out(pointer, bytes, kind); });
}
static cudaError_t take_back(void* pointer, bool host) {
    return between_captures([=] {
        if (!pointer) return cudaSuccess;
        const cudaError_t before = finished(nullptr);
        if (before != cudaSuccess) return before;
        const memory_allocation* allocation = host_allocation(pointer);
        if (!allocation || (allocation->kind == pinned_memory) != host)
            return cudaErrorInvalidValue;
        return release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) { return give(pointer, bytes, device_memory); }
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return give(pointer, bytes, pinned_memory);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
    return give(pointer, bytes, pinned_memory);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return refuse(cudaErrorInvalidValue);
    return give(pointer, bytes, managed_memory);
}
cudaError_t cudaFree(void* pointer) { return take_back(pointer, false); }
cudaError_t cudaFreeHost(void* pointer) { return take_back(pointer, true); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return give_in_stream(pointer, bytes, device_memory, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        if (!pointer) return cudaSuccess;
        memory_allocation* allocation = host_allocation(pointer);
        if (!allocation || allocation->begin != uintptr_t(pointer) || allocation->leaving)
            return cudaErrorInvalidValue;
        const bool in_graph = bool(stream.capture);
        if (in_graph && !allocation->of_graph) return cudaErrorInvalidValue;
        allocation->leaving = true;
        enqueue(stream, [=] {
            in_graph ? set_present(pointer, false) : void(release(pointer));
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return refuse(cudaErrorInvalidValue);
    *pitch = (width + hardware::pitch_alignment - 1) / hardware::pitch_alignment *
             hardware::pitch_alignment;
    if (width > SIZE_MAX - hardware::pitch_alignment || (height && *pitch > SIZE_MAX / height))
        return refuse(cudaErrorMemoryAllocation);
    return give(pointer, *pitch * height, device_memory);
}
cudaError_t cudaHostRegister(void* begin, size_t bytes, unsigned) {
    return between_captures([=] {
        if (!begin || bytes == 0) return cudaErrorInvalidValue;
        return register_host(begin, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
    });
}
cudaError_t cudaHostUnregister(void* begin) {
    return between_captures(
        [=] { return unregister_host(begin) ? cudaSuccess : cudaErrorHostMemoryNotRegistered; });
}
cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned) {
    return enter([=] {
        if (!pointer) return cudaErrorInvalidValue;
        const memory_side side = side_of(host);
        if (side != memory_side::pinned && side != memory_side::managed)
            return cudaErrorInvalidValue;
        *pointer = host;
        return cudaSuccess;
    });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* found, const void* p) {
    return enter([=] {
        if (!found) return cudaErrorInvalidValue;
        *found = {};
        void* pointer = const_cast<void*>(p);
        switch (side_of(p)) {
            case memory_side::device:
                found->type = cudaMemoryTypeDevice;
                found->devicePointer = pointer;
                break;
            case memory_side::managed:
                found->type = cudaMemoryTypeManaged;
                found->devicePointer = found->hostPointer = pointer;
                break;
            case memory_side::pinned:
                found->type = cudaMemoryTypeHost;
                found->devicePointer = found->hostPointer = pointer;
                break;
            default:
                found->type = cudaMemoryTypeUnregistered;
                found->hostPointer = pointer;
                found->device = cudaInvalidDeviceId;
                break;
        }
        return cudaSuccess;
    });
}

}  // extern "C"
