#pragma once
/// @file
/// Checks calls of the driver API, as check.hpp does those of the runtime.

#include <cstdio>
#include <cstdlib>

#include <cuda.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program with one line on standard error unless a call of the driver API succeeded.
///
/// Where the machine has no usable GPU the status is 77, else 1.
///
/// @param result  what the call returned
/// @param file    source file of the caller; leave it out
/// @param line    source line of the caller; leave it out
inline void check(CUresult result, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(result, &name);
    if (result == CUDA_ERROR_NO_DEVICE || result == CUDA_ERROR_STUB_LIBRARY) {
        std::fprintf(stderr, "no usable CUDA device: %s\n", name ? name : "only the stub of the driver is here");
        std::exit(no_device_status);
    }
    std::fprintf(stderr, "%s:%d: %s\n", file, line, name ? name : "unknown error of the driver");
    std::exit(EXIT_FAILURE);
}

/// The name of a result, such as `CUDA_ERROR_INVALID_CONTEXT`.
inline const char* name_of(CUresult result) {
    const char* name = nullptr;
    return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "unknown";
}

}  // namespace lockstep
