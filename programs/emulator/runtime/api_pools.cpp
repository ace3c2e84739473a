// Memory pools.

#include <memory>

#include "api_memory.hpp"
#include "captures.hpp"
#include "pools.hpp"

using namespace emulator;

template <class F>
static cudaError_t with_pool(cudaMemPool_t handle, F&& body) {
    return enter([&] {
        default_pool();
        const std::shared_ptr<memory_pool> pool = pools.find(handle);
        return pool ? body(*pool) : cudaErrorInvalidValue;
    });
}

static cudaError_t set_mark(uint64_t& mark, uint64_t now, const void* value) {
    if (*static_cast<const uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    mark = now;
    return cudaSuccess;
}

// The pools of a place: those of the device, or those of the host.
static cudaError_t read_place(const cudaMemLocation* place, cudaMemAllocationType type,
                              bool* of_host) {
    if (!place || type != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    *of_host = place->type == cudaMemLocationTypeHost || place->type == cudaMemLocationTypeHostNuma;
    if (*of_host) return cudaSuccess;
    if (place->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    return place->id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

extern "C" {

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
        *pool = new_pool(kind, *wanted);
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return look([=] {
        if (context_exists() && pool == default_pool()) return cudaErrorInvalidValue;
        if (const std::shared_ptr<memory_pool> found = pools.find(pool)) give_up(*found);
        return pools.remove(pool) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return give_in_stream(pointer, bytes, pool, stream);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return enter([=] {
        if (!pool) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *pool = default_pool();
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return enter([=] {
        if (!pool) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *pool = current_pool();
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (device != 0) return refuse(cudaErrorInvalidDevice);
    return with_pool(pool, [=](memory_pool&) {
        current_pool() = pool;
        return cudaSuccess;
    });
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* place,
                                     cudaMemAllocationType type) {
    return enter([=] {
        bool of_host = false;
        const cudaError_t error = read_place(place, type, &of_host);
        if (!pool) return cudaErrorInvalidValue;
        if (error == cudaSuccess) *pool = default_pool(of_host);
        return error;
    });
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* place,
                              cudaMemAllocationType type) {
    return enter([=] {
        bool of_host = false;
        const cudaError_t error = read_place(place, type, &of_host);
        if (!pool) return cudaErrorInvalidValue;
        if (error == cudaSuccess) *pool = current_pool(of_host);
        return error;
    });
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* place, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
    bool of_host = false;
    const cudaError_t error = read_place(place, type, &of_host);
    if (error != cudaSuccess) return refuse(error);
    return with_pool(pool, [=](memory_pool&) {
        current_pool(of_host) = pool;
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep) {
    return with_pool(handle, [=](memory_pool& pool) {
        trim(pool, keep);
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
    return with_pool(handle, [=](memory_pool& pool) {
        if (!value) return cudaErrorInvalidValue;
        const auto set = [&](int& flag) {
            flag = *static_cast<int*>(value) != 0;
            return cudaSuccess;
        };
        switch (which) {
            case cudaMemPoolReuseFollowEventDependencies: return set(pool.follows_events);
            case cudaMemPoolReuseAllowOpportunistic: return set(pool.opportunistic);
            case cudaMemPoolReuseAllowInternalDependencies: return set(pool.internal);
            case cudaMemPoolAttrReleaseThreshold:
                pool.threshold = *static_cast<uint64_t*>(value);
                return cudaSuccess;
            case cudaMemPoolAttrReservedMemHigh:
                return set_mark(pool.reserved_high, pool.reserved, value);
            case cudaMemPoolAttrUsedMemHigh: return set_mark(pool.used_high, pool.used, value);
            default: return cudaErrorInvalidValue;
        }
    });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
    return with_pool(handle, [=](memory_pool& pool) {
        if (!value) return cudaErrorInvalidValue;
        const auto tell = [&](auto found) {
            *static_cast<decltype(found)*>(value) = found;
            return cudaSuccess;
        };
        switch (which) {
            case cudaMemPoolReuseFollowEventDependencies: return tell(pool.follows_events);
            case cudaMemPoolReuseAllowOpportunistic: return tell(pool.opportunistic);
            case cudaMemPoolReuseAllowInternalDependencies: return tell(pool.internal);
            case cudaMemPoolAttrReleaseThreshold: return tell(pool.threshold);
            case cudaMemPoolAttrReservedMemCurrent: return tell(pool.reserved);
            case cudaMemPoolAttrReservedMemHigh: return tell(pool.reserved_high);
            case cudaMemPoolAttrUsedMemCurrent: return tell(pool.used);
            case cudaMemPoolAttrUsedMemHigh: return tell(pool.used_high);
            default: return cudaErrorInvalidValue;
        }
    });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* wanted,
                                 size_t count) {
    return with_pool(handle, [=](memory_pool& pool) {
        if (!wanted) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            const bool own = wanted[i].location.type == pool.properties.location.type &&
                             wanted[i].location.id == pool.properties.location.id;
            if (own && wanted[i].flags != cudaMemAccessFlagsProtReadWrite)
                return cudaErrorInvalidDevice;
            if (wanted[i].location.type == cudaMemLocationTypeDevice && wanted[i].location.id != 0)
                return cudaErrorInvalidDevice;
            if (!own) pool.access = wanted[i].flags;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* place) {
    return with_pool(handle, [=](memory_pool& pool) {
        if (!flags || !place) return cudaErrorInvalidValue;
        if (place->type == cudaMemLocationTypeDevice && place->id != 0)
            return cudaErrorInvalidDevice;
        const bool own = place->type == pool.properties.location.type;
        *flags = own ? cudaMemAccessFlagsProtReadWrite : pool.access;
        return cudaSuccess;
    });
}

}  // extern "C"
