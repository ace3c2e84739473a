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

/// Ends the program after a failed call.
///
/// Every overload of check() prints through this function. Flushes standard output, so
/// that what was printed before the failure comes first. Then prints `file:line: name:
/// description` on standard error and exits with status 1; or, where the machine has no
/// usable GPU or driver, prints one line without a place and exits with status 77
/// (no_device_status).
///
/// @param no_device    whether the call failed because there is no usable GPU or driver
/// @param name         the status as its library names it, such as
///                     `cudaErrorInvalidValue`
/// @param description  what the library says about it
/// @param file         source file of the call; its folders are left out of the message
/// @param line         source line of the call
[[noreturn]] inline void stop_at(bool no_device, const char* name,
                                 const char* description, const char* file, int line) {
    std::fflush(stdout);
    while (const char* slash = std::strpbrk(file, "/\\")) file = slash + 1;
    if (no_device)
        std::fprintf(stderr, "no usable CUDA device: %s\n", description);
    else
        std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, name, description);
    std::exit(no_device ? no_device_status : EXIT_FAILURE);
}

/// Ends the program unless a call of the CUDA runtime succeeded.
/// @param status  what the call returned
/// @param file    source file of the call; leave it out
/// @param line    source line of the call; leave it out
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
