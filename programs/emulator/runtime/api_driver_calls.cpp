// The functions of the driver API that programs call directly: few, each as its runtime twin.

#include "memory_sides.hpp"
#include "pools.hpp"
#include "toolkit/cuda.h"

using namespace emulator;

namespace {

const struct {
    CUresult number;
    const char *name, *text;
} results[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
     "peer access is not supported between these two devices"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
};

// Most errors have one number in both.
CUresult result_of(cudaError_t error) { return CUresult(error); }
cudaStream_t stream_of_driver(CUstream stream) { return reinterpret_cast<cudaStream_t>(stream); }

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult result, const char** name) {
    *name = nullptr;
    for (const auto& known : results)
        if (known.number == result) *name = known.name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult result, const char** text) {
    *text = nullptr;
    for (const auto& known : results)
        if (known.number == result) *text = known.text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
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
    const cudaError_t error =
        cudaGraphExecUpdate(reinterpret_cast<cudaGraphExec_t>(instance),
                            reinterpret_cast<cudaGraph_t>(graph), info ? &found : nullptr);
    if (info)
        *info = {CUgraphExecUpdateResult(found.result),
                 reinterpret_cast<CUgraphNode>(found.errorNode),
                 reinterpret_cast<CUgraphNode>(found.errorFromNode)};
    return result_of(error);
}
CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
    return result_of(
        cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(instance), stream_of_driver(stream)));
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
    if (!pointer) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const cudaError_t error = cudaMallocManaged(&made, bytes, flags);
    *pointer = CUdeviceptr(uintptr_t(made));
    return result_of(error);
}
CUresult cuMemFree(CUdeviceptr pointer) {
    return result_of(cudaFree(reinterpret_cast<void*>(uintptr_t(pointer))));
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length,
                                unsigned flags) {
    return result_of(cudaStreamAttachMemAsync(
        stream_of_driver(stream), reinterpret_cast<void*>(uintptr_t(pointer)), length, flags));
}

}  // extern "C"
