// Virtual memory management: addresses, memory, mappings and rights, each apart.

#include <cstdio>
#include <vector>

#include "driver_calls.hpp"
#include "memory.hpp"
#include "virtual_memory.hpp"

using namespace emulator;

namespace {

constexpr size_t unit = hardware::mapping_granularity;

// What a driver would take for any memory, or crash at.
std::shared_ptr<physical_memory> named(CUmemGenericAllocationHandle handle, const char* call) {
    const std::shared_ptr<physical_memory> memory = memory_of(handle);
    if (memory) return memory;
    fflush(stdout);
    fprintf(stderr, "emulator: %s: the handle names no memory, or was released\n", call);
    return nullptr;
}

CUresult lacking(const char* call, const char* what) {
    fflush(stdout);
    fprintf(stderr, "emulator: %s: %s: no browser can do this\n", call, what);
    return CUDA_ERROR_NOT_SUPPORTED;
}

const void* pointer(CUdeviceptr address) {
    return reinterpret_cast<const void*>(uintptr_t(address));
}

bool of_host(const CUmemLocation& place) {
    return place.type == CU_MEM_LOCATION_TYPE_HOST ||
           (place.type == CU_MEM_LOCATION_TYPE_HOST_NUMA && place.id == 0);
}

CUresult check(const CUmemAllocationProp& properties) {
    if (properties.type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return properties.location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    return of_host(properties.location) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// The mappings that lie in a range; false if one does so in part only.
bool whole_mappings(reserved_range& range, uintptr_t begin, size_t bytes,
                    std::vector<memory_mapping*>& found) {
    for (auto& [at, mapping] : range.mappings) {
        if (mapping.end() <= begin || at - begin >= bytes) continue;
        if (at < begin || mapping.end() - begin > bytes) return false;
        found.push_back(&mapping);
    }
    return true;
}

CUresult check(const CUmemAccessDesc& wanted, const std::vector<memory_mapping*>& mappings) {
    const CUmemAccess_flags rights = wanted.flags;
    if (rights != CU_MEM_ACCESS_FLAGS_PROT_NONE && rights != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        rights != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    if (of_host(wanted.location)) {
        for (const memory_mapping* mapping : mappings)
            if (mapping->memory->of_device()) return CUDA_ERROR_NOT_SUPPORTED;
        return CUDA_SUCCESS;
    }
    if (wanted.location.type != CU_MEM_LOCATION_TYPE_DEVICE || wanted.location.id != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!shown_anywhere && rights == CU_MEM_ACCESS_FLAGS_PROT_READ)
        return lacking("cuMemSetAccess", "memory that kernels may only read");
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* found, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags which) {
    return in_driver([=] {
        if (!found || !properties ||
            (which != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
             which != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
            return CUDA_ERROR_INVALID_VALUE;
        *found = unit;
        return check(*properties);
    });
}
CUresult cuMemAddressReserve(CUdeviceptr* place, size_t bytes, size_t alignment, CUdeviceptr wanted,
                             unsigned long long flags) {
    return in_driver([=] {
        if (!place || !bytes || bytes % unit || alignment & (alignment - 1) || flags)
            return CUDA_ERROR_INVALID_VALUE;
        *place = CUdeviceptr(reserve_range(bytes, alignment, uintptr_t(wanted)));
        return *place ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    });
}
CUresult cuMemAddressFree(CUdeviceptr place, size_t bytes) {
    return in_driver([=] {
        return free_range(uintptr_t(place), bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    });
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
    return in_driver([=] {
        if (!handle || !properties || flags) return CUDA_ERROR_INVALID_VALUE;
        if (const CUresult error = check(*properties)) return error;
        if (properties->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
            return CUDA_ERROR_NOT_SUPPORTED;
        if (!bytes || bytes % unit) return CUDA_ERROR_INVALID_VALUE;
        const std::shared_ptr<physical_memory> memory = create_memory(bytes, *properties);
        if (!memory) return CUDA_ERROR_OUT_OF_MEMORY;
        *handle = memory->handle;
        return CUDA_SUCCESS;
    });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return in_driver([=] {
        const std::shared_ptr<physical_memory> memory = named(handle, "cuMemRelease");
        if (!memory) return CUDA_ERROR_INVALID_VALUE;
        release(*memory);
        return CUDA_SUCCESS;
    });
}
CUresult cuMemMap(CUdeviceptr place, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
    return in_driver([=] {
        const std::shared_ptr<physical_memory> memory = named(handle, "cuMemMap");
        reserved_range* range = find_range(pointer(place));
        const uintptr_t begin = uintptr_t(place);
        if (!memory || !range || flags || !bytes || begin % unit || bytes % unit || offset % unit ||
            bytes > range->bytes - (begin - range->begin))
            return CUDA_ERROR_INVALID_VALUE;
        if (bytes != memory->bytes || offset) return CUDA_ERROR_NOT_SUPPORTED;
        std::vector<memory_mapping*> there;
        if (!whole_mappings(*range, begin, bytes, there) || !there.empty())
            return CUDA_ERROR_INVALID_VALUE;
        if (!shown_anywhere && memory->mappings)
            return lacking("cuMemMap", "memory at two addresses");
        return map_memory(*range, begin, memory) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    });
}
// Where nothing is mapped, this is no mistake.
CUresult cuMemUnmap(CUdeviceptr place, size_t bytes) {
    return in_driver([=] {
        reserved_range* range = find_range(pointer(place));
        std::vector<memory_mapping*> there;
        if (!range || !bytes || !whole_mappings(*range, uintptr_t(place), bytes, there))
            return CUDA_ERROR_INVALID_VALUE;
        for (const memory_mapping* mapping : there) unmap(*range, mapping->begin);
        return CUDA_SUCCESS;
    });
}
CUresult cuMemSetAccess(CUdeviceptr place, size_t bytes, const CUmemAccessDesc* wanted,
                        size_t count) {
    return in_driver([=] {
        reserved_range* range = find_range(pointer(place));
        std::vector<memory_mapping*> there;
        if (!range || !bytes || !wanted || !count ||
            !whole_mappings(*range, uintptr_t(place), bytes, there))
            return CUDA_ERROR_INVALID_VALUE;
        size_t mapped = 0;
        for (const memory_mapping* mapping : there) mapped += mapping->bytes();
        if (mapped != bytes) return CUDA_ERROR_INVALID_VALUE;
        for (size_t i = 0; i < count; ++i)
            if (const CUresult error = check(wanted[i], there)) return error;
        for (size_t i = 0; i < count; ++i)
            for (memory_mapping* mapping : there)
                if (of_host(wanted[i].location))
                    mapping->host_rights = wanted[i].flags;
                else if (!set_rights(*mapping, wanted[i].flags))
                    return CUDA_ERROR_OUT_OF_MEMORY;
        return CUDA_SUCCESS;
    });
}
CUresult cuMemGetAccess(unsigned long long* rights, const CUmemLocation* location,
                        CUdeviceptr place) {
    return in_driver([=] {
        const memory_mapping* mapping = find_mapping(pointer(place));
        if (!rights || !location || !mapping) return CUDA_ERROR_INVALID_VALUE;
        const bool host = of_host(*location);
        if (!host && (location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id != 0))
            return CUDA_ERROR_INVALID_VALUE;
        *rights = host ? mapping->host_rights : mapping->rights;
        return CUDA_SUCCESS;
    });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* place) {
    return in_driver([=] {
        const memory_mapping* mapping = find_mapping(place);
        if (!handle || !mapping) return CUDA_ERROR_INVALID_VALUE;
        *handle = mapping->memory->handle;
        retain(mapping->memory);
        return CUDA_SUCCESS;
    });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
    return in_driver([=] {
        const std::shared_ptr<physical_memory> memory =
            named(handle, "cuMemGetAllocationPropertiesFromHandle");
        if (!memory || !properties) return CUDA_ERROR_INVALID_VALUE;
        *properties = memory->properties;
        return CUDA_SUCCESS;
    });
}
CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr place) {
    return in_driver([=] {
        uintptr_t found = 0;
        size_t size = 0;
        if (const memory_mapping* mapping = find_mapping(pointer(place));
            mapping && mapping->rights)
            found = mapping->begin, size = mapping->bytes();
        else if (const memory_allocation* allocation = find_allocation(pointer(place)))
            found = allocation->begin, size = allocation->bytes;
        if (!found) return CUDA_ERROR_NOT_FOUND;
        if (begin) *begin = CUdeviceptr(found);
        if (bytes) *bytes = size;
        return CUDA_SUCCESS;
    });
}

}  // extern "C"
