#pragma once
/// @file
/// Says at once, and in one line, that this machine lacks what a program needs.

#include <cstdio>
#include <cstdlib>

#include <lockstep/check.hpp>  // IWYU pragma: export

namespace lockstep {

/// Ends the program with status 77 unless the machine has the GPUs that it needs.
/// Creates no CUDA context: the first call that needs one still pays for it.
/// @param min_capability  lowest compute capability of device 0, as major * 10 + minor
/// @param min_devices     lowest number of GPUs
inline void require_device(int min_capability = 0, int min_devices = 1) {
    int devices = 0, major = 0, minor = 0;
    check(cudaGetDeviceCount(&devices));
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (devices < min_devices)
        std::fprintf(stderr, "this program needs %d GPUs, this machine has %d\n",
                     min_devices, devices);
    else if (major * 10 + minor < min_capability)
        std::fprintf(stderr,
                     "this program needs compute capability %d.%d, this GPU has "
                     "%d.%d\n",
                     min_capability / 10, min_capability % 10, major, minor);
    else
        return;
    std::exit(no_device_status);
}

}  // namespace lockstep
