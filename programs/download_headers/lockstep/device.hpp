#pragma once
/// @file
/// Short form of require_device(), for downloads. It does not tell what the GPU has.

#include <cstdio>
#include <cstdlib>

#include <lockstep/check.hpp>  // IWYU pragma: export

namespace lockstep {

inline void require_device() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
}

inline void require_device(int min_capability) {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    if (device.major * 10 + device.minor >= min_capability) return;
    std::fprintf(stderr, "this program needs a GPU of compute capability %.1f\n",
                 min_capability / 10.0);
    std::exit(77);
}

inline void require_device(int min_capability, int min_devices) {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices >= min_devices) return require_device(min_capability);
    std::fprintf(stderr, "this program needs %d GPUs, this machine has %d\n",
                 min_devices, devices);
    std::exit(77);
}

}  // namespace lockstep
