#pragma once
/// @file
/// Says at once, and in one line, that this machine lacks what a program needs.

#include <cstdio>
#include <cstdlib>

#include <lockstep/check.hpp>  // IWYU pragma: export

namespace lockstep {

/// Ends the program with status 77 unless the machine has a GPU.
///
/// Creates no CUDA context: the first call after it still pays for that.
inline void require_device() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
}

/// Ends the program with status 77 unless the first GPU has what the program needs.
///
/// Creates no CUDA context either.
///
/// @param min_capability  lowest compute capability of device 0, as major * 10 + minor
///                        (90 is 9.0)
inline void require_device(int min_capability) {
    int devices = 0, major = 0, minor = 0;
    check(cudaGetDeviceCount(&devices));
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (major * 10 + minor >= min_capability) return;
    std::fprintf(stderr,
                 "this program needs compute capability %d.%d, this GPU has %d.%d\n",
                 min_capability / 10, min_capability % 10, major, minor);
    std::exit(no_device_status);
}

/// Ends the program with status 77 unless the machine has as many GPUs as it needs.
/// @param min_capability  lowest compute capability of device 0
/// @param min_devices     lowest number of GPUs
inline void require_device(int min_capability, int min_devices) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
    if (devices >= min_devices) return require_device(min_capability);
    std::fprintf(stderr, "this program needs %d GPUs, this machine has %d\n",
                 min_devices, devices);
    std::exit(no_device_status);
}

}  // namespace lockstep
