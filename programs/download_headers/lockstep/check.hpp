#pragma once
/// @file
/// Short form of check(), for downloads. Without a usable GPU it prints name and place
/// of the call, too.

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime_api.h>

namespace lockstep {

/// Exit status of a program that found no GPU it can use.
constexpr int no_device_status = 77;

[[noreturn]] inline void stop_at(bool no_device, const char* name,
                                 const char* description, const char* file, int line) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, name, description);
    std::exit(no_device ? no_device_status : EXIT_FAILURE);
}

inline void check(cudaError_t status, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (status == cudaSuccess) return;
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ? 77
                                                                                   : 1);
}

}  // namespace lockstep
