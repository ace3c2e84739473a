// Memory pools.

#include <memory>

#include "api_memory.hpp"
#include "captures.hpp"
#include "handles.hpp"

using namespace emulator;

static handle_registry<const memory_kind, cudaMemPool_t> pools;

static std::shared_ptr<const memory_kind> registered_pool(cudaMemPool_t pool) {
    entry_lock lock;
    (void)lock;
    return pools.find(pool);
}

extern "C" {

// A pool only says of which kind its memory is.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* wanted) {
    return enter([=] {
        if (!pool || !wanted) return cudaErrorInvalidValue;
        const bool managed = wanted->allocType == cudaMemAllocationTypeManaged;
        if (!managed && wanted->allocType != cudaMemAllocationTypePinned)
            return cudaErrorInvalidValue;
        const cudaMemLocation place = wanted->location;
        if (place.type == cudaMemLocationTypeInvalid && !managed) return cudaErrorInvalidValue;
        if (place.type == cudaMemLocationTypeDevice && place.id != 0) return cudaErrorInvalidValue;
        const memory_kind kind = managed                                   ? managed_memory
                                 : place.type == cudaMemLocationTypeDevice ? device_memory
                                                                           : pinned_memory;
        *pool = pools.add(std::make_shared<memory_kind>(kind));
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return look([=] { return pools.remove(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    const std::shared_ptr<const memory_kind> kind = registered_pool(pool);
    if (!kind) return refuse(cudaErrorInvalidValue);
    return give_in_stream(pointer, bytes, *kind, stream);
}

}  // extern "C"
