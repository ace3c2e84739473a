// The functions of the driver API that programs ask for by name and version.

#include <cstdio>
#include <cstring>

#include "driver_calls.hpp"

using namespace emulator;

namespace {

constexpr int driver_version = CUDART_VERSION;

// Each in one form alone; where the default stream may be one of the thread's own, that of the
// legacy one.
const struct {
    const char* name;
    int since;  // the version that had such a function first
    int form;   // the version since which it is this one
    bool of_stream;
    void* function;
} driver_functions[] = {
#define FUNCTION(name, since, form, of_stream) \
    {#name, since, form, of_stream, reinterpret_cast<void*>(name)}
    FUNCTION(cuInit, 2000, 2000, false),
    FUNCTION(cuDriverGetVersion, 2020, 2020, false),
    FUNCTION(cuGetErrorName, 6000, 6000, false),
    FUNCTION(cuGetErrorString, 6000, 6000, false),
    FUNCTION(cuGetProcAddress, 11030, 12000, false),
    FUNCTION(cuDeviceGet, 2000, 2000, false),
    FUNCTION(cuDeviceGetCount, 2000, 2000, false),
    FUNCTION(cuDeviceGetName, 2000, 2000, false),
    FUNCTION(cuDeviceGetAttribute, 2000, 2000, false),
    FUNCTION(cuDeviceTotalMem, 2000, 3020, false),
    FUNCTION(cuDeviceGetExecAffinitySupport, 11040, 11040, false),
    FUNCTION(cuDevicePrimaryCtxGetState, 7000, 7000, false),
    FUNCTION(cuCtxGetCurrent, 4000, 4000, false),
    FUNCTION(cuStreamGetDevice, 12080, 12080, true),
    FUNCTION(cuMemAlloc, 2000, 3020, false),
    FUNCTION(cuMemFree, 2000, 3020, false),
    FUNCTION(cuMemcpyDtoH, 2000, 3020, true),
    FUNCTION(cuMemcpyHtoD, 2000, 3020, true),
    FUNCTION(cuMemsetD32, 2000, 3020, true),
    FUNCTION(cuTensorMapEncodeTiled, 12000, 12000, false),
#undef FUNCTION
};

// Null, too, for what the driver has and the emulator lacks.
CUresult find(const char* name, void** function, int version, cuuint64_t flags,
              CUdriverProcAddressQueryResult* status) {
    if (!name || !function || version > driver_version ||
        flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    const bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    *function = nullptr;
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    for (const auto& known : driver_functions) {
        if (strcmp(known.name, name) != 0) continue;
        if (version < known.since) {
            found = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        } else if (version >= known.form && !(per_thread && known.of_stream)) {
            found = CU_GET_PROC_ADDRESS_SUCCESS;
            *function = known.function;
        }
    }
    if (found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) {
        fflush(stdout);
        fprintf(stderr, "emulator: of the driver's functions, %s for version %d%s is not here\n",
                name, version, per_thread ? " with default streams of threads" : "");
    }
    if (status) *status = found;
    return found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !status ? CUDA_ERROR_NOT_FOUND
                                                                    : CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
    entry_lock lock;
    (void)lock;
    return find(name, function, version, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
    return look([=] {
        CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
        const CUresult error = find(name, function, int(version), flags, &status);
        if (error != CUDA_SUCCESS) return cudaError_t(error);
        if (result) *result = cudaDriverEntryPointQueryResult(status);
        return status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND ? cudaErrorSymbolNotFound
                                                              : cudaSuccess;
    });
}

}  // extern "C"
