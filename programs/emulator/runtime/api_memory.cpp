// Memory: allocated, freed, registered, asked about.

#include "api_memory.hpp"

#include "captures.hpp"
#include "error_log.hpp"
#include "graph_memory.hpp"
#include "memory_sides.hpp"
#include "pools.hpp"

namespace emulator {

static cudaError_t hand_out(void** pointer, size_t bytes, memory_kind kind) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = allocate(bytes, kind);
    return *pointer ? cudaSuccess : log_refusal(cudaErrorMemoryAllocation);
}
// Memory of a graph: it is there whenever the graph has come so far.
static void* captured_allocation(size_t bytes, device_stream& stream) {
    const auto node = new_node(cudaGraphNodeTypeMemAlloc);
    void* place = place_graph_memory(bytes, *stream.capture->graph, stream.tail);
    if (!place) return nullptr;
    node->allocation.bytesize = bytes;
    node->allocation.poolProps.allocType = cudaMemAllocationTypePinned;
    node->allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
    node->allocation.dptr = place;
    capture_node(stream, node);
    return place;
}

cudaError_t give_in_stream(void** pointer, size_t bytes, cudaMemPool_t handle,
                           cudaStream_t stream_handle) {
    return in_stream(stream_handle, [=](device_stream& stream) {
        const std::shared_ptr<memory_pool> pool = pools.find(handle);
        if (!pool || !pointer) return cudaErrorInvalidValue;
        *pointer = nullptr;
        if (bytes == 0) return cudaSuccess;
        *pointer = stream.capture ? captured_allocation(bytes, stream)
                                  : allocate_from(*pool, bytes, stream);
        return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
    });
}

static cudaError_t free_graph_memory(memory_allocation& allocation, device_stream& stream) {
    if (!allocation.alive) return cudaErrorInvalidValue;
    allocation.alive = false;
    enqueue(stream, [place = reinterpret_cast<void*>(allocation.begin)] {
        set_graph_memory(place, false);
        return cudaSuccess;
    });
    return cudaSuccess;
}

static cudaError_t capture_free(void* pointer, const memory_allocation& allocation,
                                device_stream& stream) {
    if (!allocation.of_graph) return cudaErrorInvalidValue;
    const auto node = new_node(cudaGraphNodeTypeMemFree);
    node->freed = pointer;
    capture_node(stream, node);
    return cudaSuccess;
}

}  // namespace emulator

using namespace emulator;

static cudaError_t give(void** pointer, size_t bytes, memory_kind kind) {
    return between_captures([=] { return hand_out(pointer, bytes, kind); });
}
static cudaError_t take_back(void* pointer, bool host) {
    return between_captures([=] {
        if (!pointer) return cudaSuccess;
        const memory_allocation* allocation = host_allocation(pointer);
        if (allocation && allocation->pooled && !allocation->leaving && free_to_pool(pointer))
            return cudaSuccess;  // and waits for nothing: all work with it must have ended
        const cudaError_t before = finished(nullptr);
        if (before != cudaSuccess) return before;
        allocation = host_allocation(pointer);
        if (!allocation || (allocation->kind == pinned_memory) != host)
            return cudaErrorInvalidValue;
        if (allocation->of_graph) {
            if (!allocation->alive) return cudaErrorInvalidValue;
            host_allocation(pointer)->alive = false;
            set_graph_memory(pointer, false);
            return cudaSuccess;
        }
        return release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    const driver_function name("cuMemAlloc_v2");
    entry_lock lock;
    (void)lock;
    if (sticky != cudaSuccess && !in_host_function())
        return remember(log_refusal(sticky, "Sticky error detected"));
    return give(pointer, bytes, device_memory);
}
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
    cudaMemPool_t pool = nullptr;
    const cudaError_t error = cudaDeviceGetMemPool(&pool, 0);
    return error == cudaSuccess ? give_in_stream(pointer, bytes, pool, stream) : error;
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        if (!pointer) return cudaSuccess;
        memory_allocation* allocation = host_allocation(pointer);
        if (!allocation || allocation->begin != uintptr_t(pointer) || allocation->leaving)
            return cudaErrorInvalidValue;
        if (stream.capture) return capture_free(pointer, *allocation, stream);
        if (allocation->of_graph) return free_graph_memory(*allocation, stream);
        if (free_in_stream(pointer, stream)) return cudaSuccess;
        allocation->leaving = true;
        enqueue(stream, [=] {
            release(pointer);
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return refuse(cudaErrorInvalidValue);
    *pitch = rounded_up(width, hardware::pitch_alignment);
    if (width > SIZE_MAX - hardware::pitch_alignment || (height && *pitch > SIZE_MAX / height))
        return refuse(cudaErrorMemoryAllocation);
    return give(pointer, *pitch * height, device_memory);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* area, cudaExtent size) {
    if (!area || (size.depth && size.height > SIZE_MAX / size.depth))
        return refuse(cudaErrorInvalidValue);
    area->xsize = size.width;
    area->ysize = size.height;
    return cudaMallocPitch(&area->ptr, &area->pitch, size.width, size.height * size.depth);
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
