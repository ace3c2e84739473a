#pragma once
/// @file
/// Checks calls of NCCL, as check.hpp does those of the runtime.

#include <nccl.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// The name of a result, such as `ncclInvalidUsage`.
/// @param result  what a call of NCCL returned
inline const char* name_of(ncclResult_t result) {
    switch (result) {
        case ncclSuccess: return "ncclSuccess";
        case ncclUnhandledCudaError: return "ncclUnhandledCudaError";
        case ncclSystemError: return "ncclSystemError";
        case ncclInternalError: return "ncclInternalError";
        case ncclInvalidArgument: return "ncclInvalidArgument";
        case ncclInvalidUsage: return "ncclInvalidUsage";
        case ncclRemoteError: return "ncclRemoteError";
        case ncclInProgress: return "ncclInProgress";
        default: return "unknown result";
    }
}

/// Ends the program unless a call of NCCL succeeded; stop_at() says how.
/// @param result  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(ncclResult_t result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == ncclSuccess) return;
    stop_at(false, name_of(result), ncclGetErrorString(result), file, line);
}

}  // namespace lockstep
