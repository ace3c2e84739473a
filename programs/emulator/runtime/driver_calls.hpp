// How a call of the driver API enters the runtime: as others do, but its error is the caller's
// alone, and it makes no context.
#pragma once

#include "entry.hpp"
#include "error_log.hpp"
#include "toolkit/cuda.h"

namespace emulator {

// Runs the body of a function that needs no context. Most errors have one number in both APIs.
template <class F>
CUresult in_driver(F&& body) {
    entry_lock lock;
    (void)lock;
    const CUresult result = in_host_function()      ? CUDA_ERROR_NOT_PERMITTED
                            : !driver_initialized   ? CUDA_ERROR_NOT_INITIALIZED
                            : sticky != cudaSuccess ? CUresult(sticky)
                                                    : body();
    note_failure(cudaError_t(result));
    return result;
}

// Calls the twin that a function has in the runtime API.
template <class F>
CUresult by_twin(F&& twin) {
    return in_driver([&] {
        if (!context_exists()) return CUDA_ERROR_INVALID_CONTEXT;
        const cudaError_t before = taken_last_error();
        const uint64_t unknown = unknown_failures();
        const cudaError_t error = twin();
        taken_last_error();
        restore_last_error(before);
        if (unknown_failures() == unknown) failure_is_known();
        return CUresult(error);
    });
}

}  // namespace emulator
