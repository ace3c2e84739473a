#pragma once
/// @file
/// Checks calls of the driver API, as check.hpp does those of the runtime.

#include <cuda.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// The name of a result, such as `CUDA_ERROR_INVALID_CONTEXT`.
/// @param result  what a call of the driver API returned
inline const char* name_of(CUresult result) {
    const char* name = nullptr;
    return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "unknown result";
}

/// Ends the program unless a call of the driver API succeeded; stop_at() says how.
/// @param result  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(CUresult result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == CUDA_SUCCESS) return;
    // the toolkit's stub of the driver cannot describe even itself
    const char* description = nullptr;
    if (cuGetErrorString(result, &description) != CUDA_SUCCESS)
        description = "the driver does not describe it";
    const bool no_device =
        result == CUDA_ERROR_NO_DEVICE || result == CUDA_ERROR_STUB_LIBRARY;
    stop_at(no_device, name_of(result), description, file, line);
}

}  // namespace lockstep
