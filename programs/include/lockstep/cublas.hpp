#pragma once
/// @file
/// Checks calls of cuBLAS and cublasLt, as check.hpp does those of the runtime.

#include <cublas_v2.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program unless a call of cuBLAS succeeded; stop_at() says how.
/// @param status  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(cublasStatus_t status, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    stop_at(false, cublasGetStatusName(status), cublasGetStatusString(status), file,
            line);
}

}  // namespace lockstep
