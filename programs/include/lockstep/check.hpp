#pragma once
/// @file
/// Turns a failed CUDA call into one clear line and an exit status.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

namespace lockstep {

/// Exit status of a program that found no GPU it can use; CTest counts it as skipped.
constexpr int no_device_status = 77;

/// Ends the program unless a CUDA call succeeded.
///
/// Prints `file:line: cudaErrorName: description` on standard error and exits with status 1.
/// Where the machine has no usable GPU or driver, exits with status 77 (no_device_status) instead.
///
/// @param status  what the call returned
/// @param file    source file of the call; leave it out
/// @param line    source line of the call; leave it out
inline void check(cudaError_t status, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (status == cudaSuccess) return;
    std::fflush(stdout);  // what was printed before the failure comes first
    if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary) {
        std::fprintf(stderr, "no usable CUDA device: %s\n", cudaGetErrorString(status));
        std::exit(no_device_status);
    }
    const char* slash = std::strrchr(file, '/');
    std::fprintf(stderr, "%s:%d: %s: %s\n", slash ? slash + 1 : file, line, cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

}  // namespace lockstep
