// The functions of the driver API that programs call directly, most of them as their runtime twins.

#include <cstdio>
#include <cstring>

#include "captures.hpp"
#include "copies.hpp"
#include "driver_calls.hpp"
#include "error_texts.hpp"
#include "memory_sides.hpp"
#include "pools.hpp"
#include "properties.hpp"

using namespace emulator;

namespace {

// Those that the emulator gives.
#define NAMED(result) {result, #result}
const struct {
    CUresult number;
    const char* name;
} results[] = {
    NAMED(CUDA_SUCCESS),
    NAMED(CUDA_ERROR_INVALID_VALUE),
    NAMED(CUDA_ERROR_OUT_OF_MEMORY),
    NAMED(CUDA_ERROR_NOT_INITIALIZED),
    NAMED(CUDA_ERROR_NO_DEVICE),
    NAMED(CUDA_ERROR_INVALID_DEVICE),
    NAMED(CUDA_ERROR_INVALID_CONTEXT),
    NAMED(CUDA_ERROR_INVALID_IMAGE),
    NAMED(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    NAMED(CUDA_ERROR_INVALID_HANDLE),
    NAMED(CUDA_ERROR_NOT_FOUND),
    NAMED(CUDA_ERROR_NOT_READY),
    NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAMED(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAMED(CUDA_ERROR_ASSERT),
    NAMED(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    NAMED(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAMED(CUDA_ERROR_LAUNCH_FAILED),
    NAMED(CUDA_ERROR_NOT_PERMITTED),
    NAMED(CUDA_ERROR_NOT_SUPPORTED),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    NAMED(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    NAMED(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    NAMED(CUDA_ERROR_INVALID_RESOURCE_TYPE),
    NAMED(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
};
#undef NAMED

cudaStream_t stream_of_driver(CUstream stream) { return reinterpret_cast<cudaStream_t>(stream); }
void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(uintptr_t(address)); }

// What only the driver API asks about.
bool further_attribute(int* value, CUdevice_attribute which) {
    switch (which) {
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
            *value = 1;
            return true;
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED: *value = 0; return true;
        default: return false;
    }
}

// An ELF file, a fatbinary, or PTX.
bool is_code(const void* image) {
    constexpr uint32_t marks[] = {0x464c457f, 0xba55ed50, 0x466243b1};
    const auto* text = static_cast<const char*>(image);
    uint32_t first = 0;
    memcpy(&first, text, strnlen(text, sizeof first));
    for (const uint32_t mark : marks)
        if (first == mark) return true;
    return strstr(text, ".version") != nullptr;
}

cudaError_t fill_words(void* place, unsigned value, size_t count) {
    return in_stream(nullptr, [=](device_stream& stream) {
        if (count == 0) return cudaSuccess;
        const cudaMemsetParams wanted{place, 0, value, 4, count, 1};
        if (const cudaError_t error = check(wanted)) return error;
        const work_item work = enqueue(stream, [=] { return carry_out(wanted); });
        return side_of(place) == memory_side::device ? cudaSuccess : finished(work);
    });
}

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult result, const char** name) {
    *name = nullptr;
    for (const auto& known : results)
        if (known.number == result) *name = known.name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult result, const char** text) {
    const CUresult error = cuGetErrorName(result, text);
    if (error == CUDA_SUCCESS) *text = description(cudaError_t(result));
    return error;
}
CUresult cuInit(unsigned flags) {
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    entry_lock lock;
    (void)lock;
    driver_initialized = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = CUDART_VERSION;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
    return in_driver([=] {
        if (!count) return CUDA_ERROR_INVALID_VALUE;
        *count = 1;
        return CUDA_SUCCESS;
    });
}
CUresult cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType, CUdevice device) {
    return in_driver([=] {
        if (!value) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        *value = 0;
        return CUDA_SUCCESS;
    });
}
CUresult cuDeviceGet(CUdevice* device, int number) {
    return in_driver([=] {
        if (!device) return CUDA_ERROR_INVALID_VALUE;
        if (number != 0) return CUDA_ERROR_INVALID_DEVICE;
        *device = 0;
        return CUDA_SUCCESS;
    });
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    return in_driver([=] {
        if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        snprintf(name, size_t(length), "%s", properties().name);
        return CUDA_SUCCESS;
    });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    return in_driver([=] {
        if (!bytes) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        *bytes = properties().totalGlobalMem;
        return CUDA_SUCCESS;
    });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
    return in_driver([=] {
        if (!value) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        return attribute(value, cudaDeviceAttr(which)) || further_attribute(value, which)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return in_driver([=] {
        if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        *flags = 0;
        *active = context_exists();
        return CUDA_SUCCESS;
    });
}
// Memory of a pool belongs to no context; none of the rest is asked for.
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr pointer) {
    const memory_allocation* found = host_allocation(reinterpret_cast<void*>(pointer));
    if (!data || !found) return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            *static_cast<const void**>(data) = found->pooled ? nullptr : &results;
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(data) = 0; return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
            *static_cast<cudaMemPool_t*>(data) = handle_of_pool(reinterpret_cast<void*>(pointer));
            return CUDA_SUCCESS;
        default: return CUDA_ERROR_INVALID_VALUE;
    }
}
CUresult cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    cudaGraphExecUpdateResultInfo found{};
    const CUresult error = by_twin([&] {
        return cudaGraphExecUpdate(reinterpret_cast<cudaGraphExec_t>(instance),
                                   reinterpret_cast<cudaGraph_t>(graph), info ? &found : nullptr);
    });
    if (info)
        *info = {CUgraphExecUpdateResult(found.result),
                 reinterpret_cast<CUgraphNode>(found.errorNode),
                 reinterpret_cast<CUgraphNode>(found.errorFromNode)};
    return error;
}
CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
    return by_twin([=] {
        return cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(instance),
                               stream_of_driver(stream));
    });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
    return by_twin([=] {
        return with_stream(stream_of_driver(stream), [=](device_stream&) {
            if (!device) return cudaErrorInvalidValue;
            *device = 0;
            return cudaSuccess;
        });
    });
}
// Loads nothing: what can be known without the code is that it is none.
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return in_driver([=] {
        if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
        if (!context_exists()) return CUDA_ERROR_INVALID_CONTEXT;
        if (is_code(image)) {
            fflush(stdout);
            fprintf(stderr, "emulator: cuModuleLoadData: the emulator lacks modules\n");
            return CUDA_ERROR_NOT_SUPPORTED;
        }
        log_reason(cudaErrorInvalidKernelImage,
                   "Error handling fatbinary, to get more information when using CUDA Driver APIs "
                   "use the CU_JIT_ERROR_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES "
                   "parameters");
        return CUresult(log_refusal_by("cuModuleLoadData", cudaErrorInvalidKernelImage,
                                       "No device code available for GPU ISA 90"));
    });
}
CUresult cuMemAlloc(CUdeviceptr* place, size_t bytes) {
    if (!place || !bytes) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const CUresult error = by_twin([&] { return cudaMalloc(&made, bytes); });
    *place = CUdeviceptr(uintptr_t(made));
    return error;
}
CUresult cuMemAllocManaged(CUdeviceptr* place, size_t bytes, unsigned flags) {
    if (!place || !bytes) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const CUresult error = by_twin([&] { return cudaMallocManaged(&made, bytes, flags); });
    *place = CUdeviceptr(uintptr_t(made));
    return error;
}
CUresult cuMemFree(CUdeviceptr place) {
    return by_twin([=] { return cudaFree(pointer(place)); });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
    return by_twin([=] { return cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDefault); });
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
    return by_twin([=] { return cudaMemcpy(pointer(to), from, bytes, cudaMemcpyDefault); });
}
CUresult cuMemsetD32(CUdeviceptr place, unsigned value, size_t count) {
    return by_twin([=] { return fill_words(pointer(place), value, count); });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr place, size_t length, unsigned flags) {
    return by_twin([=] {
        return cudaStreamAttachMemAsync(stream_of_driver(stream), pointer(place), length, flags);
    });
}

}  // extern "C"
