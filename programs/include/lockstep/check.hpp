#pragma once
/// @file
/// Turns a failed CUDA call into one clear line and an exit status.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

namespace lockstep {

/// Exit status of a program that found no GPU it can use.
constexpr int no_device_status = 77;

/// Prints `file:line: name: description` on standard error, and exits with status 1;
/// where there is no usable GPU, prints one line about that and exits with status 77.
/// @param no_device          whether the call failed because there is no usable GPU
/// @param name, description  the error, in the words of its library
/// @param file, line         place of the call; folders are left out
[[noreturn]] inline void stop_at(bool no_device, const char* name,
                                 const char* description, const char* file, int line) {
    std::fflush(stdout);  // what was printed before the failure comes first
    while (const char* slash = std::strpbrk(file, "/\\")) file = slash + 1;
    if (no_device)
        std::fprintf(stderr, "no usable CUDA device: %s\n", description);
    else
        std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, name, description);
    std::exit(no_device ? no_device_status : EXIT_FAILURE);
}

/// Ends the program unless a call of the CUDA runtime succeeded; stop_at() says how.
/// @param status      what the call returned
/// @param file, line  place of the call; leave them out
inline void check(cudaError_t status, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (status == cudaSuccess) return;
    const bool no_device = status == cudaErrorNoDevice ||
                           status == cudaErrorInsufficientDriver ||
                           status == cudaErrorStubLibrary;
    stop_at(no_device, cudaGetErrorName(status), cudaGetErrorString(status), file,
            line);
}

}  // namespace lockstep
