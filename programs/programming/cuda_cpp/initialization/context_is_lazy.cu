// When does a process get its context on the GPU? Not when it starts: asking for
// versions, errors or attributes creates none. cudaSetDevice and cudaInitDevice create
// it, cudaDeviceReset destroys it, and after that the next call that needs a context
// creates a new one.

#include <cstdio>
#include <cstdlib>

#include <cuda.h>

#include <lockstep/require_device.hpp>

// [state]
/// Whether device 0 has a primary context now. Only the driver API can tell without
/// creating one.
bool context_exists() {
    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion(
        "cuDevicePrimaryCtxGetState", &address, 13000, cudaEnableDefault));
    const auto get_state =
        reinterpret_cast<decltype(&cuDevicePrimaryCtxGetState)>(address);
    unsigned flags = 0;
    int active = 0;
    const CUdevice device = 0;
    // both APIs number errors alike
    lockstep::check(static_cast<cudaError_t>(get_state(device, &flags, &active)));
    return active != 0;
}
// [/state]

/// Prints one row.
/// @param after     what was called last
/// @param expected  whether a context should exist now
/// @return whether it is so
bool row(const char* after, bool expected) {
    const bool exists = context_exists();
    std::printf("%-28s  %s\n", after, exists ? "yes" : "no");
    return exists == expected;
}

int main() {
    lockstep::require_device();

    std::printf("%-28s  %s\n", "after", "context");
    bool right = true;
    // [steps]
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    right &= row("cudaGetDeviceCount", false);

    int version = 0;
    lockstep::check(cudaRuntimeGetVersion(&version));
    right &= row("cudaRuntimeGetVersion", false);

    lockstep::check(cudaGetLastError());
    right &= row("cudaGetLastError", false);

    // one too many: always check this call
    right &= cudaSetDevice(devices) == cudaErrorInvalidDevice;
    right &= row("cudaSetDevice, no such GPU", false);

    lockstep::check(cudaSetDevice(0));
    right &= row("cudaSetDevice", true);

    lockstep::check(cudaDeviceReset());
    right &= row("cudaDeviceReset", false);
    // [/steps]

    // [again]
    lockstep::check(cudaInitDevice(0, 0, 0));
    right &= row("cudaInitDevice", true);

    lockstep::check(cudaDeviceReset());
    right &= row("cudaDeviceReset", false);

    void* d_memory = nullptr;
    lockstep::check(cudaMalloc(&d_memory, 1024));
    right &= row("cudaMalloc", true);
    // [/again]
    lockstep::check(cudaFree(d_memory));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
