// A kernel on device 0 reads memory that a stream-ordered allocation made on device 1.
// Is cudaDeviceEnablePeerAccess enough? No: a memory pool has permissions of its own,
// which cudaMemPoolSetAccess sets; and those are enough.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Copies one number.
/// @param from  one int in some device's memory
/// @param to    one int in memory of the device that runs the kernel, written
__global__ void fetch(const int* from, int* to) { *to = *from; }

/// What device 0 may do with the memory of a pool.
const char* access_of_device_0(cudaMemPool_t pool) {
    cudaMemLocation device_0{};
    device_0.type = cudaMemLocationTypeDevice;
    device_0.id = 0;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    lockstep::check(cudaMemPoolGetAccess(&flags, pool, &device_0));
    return flags == cudaMemAccessFlagsProtNone        ? "none"
           : flags == cudaMemAccessFlagsProtReadWrite ? "read and write"
                                                      : "read";
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool enable = options.flag("enable-peer");
    const bool set_access = options.flag("set-access");
    options.finish();
    lockstep::require_device(0, 2);

    const int number = 42;
    int* near = nullptr;
    lockstep::check(cudaMalloc(&near, sizeof *near));  // on device 0
    if (enable) lockstep::check(cudaDeviceEnablePeerAccess(1, 0));  // 0 may reach 1

    // [pool]
    int* far = nullptr;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 1));
    lockstep::check(cudaMallocAsync(&far, sizeof *far, nullptr));  // from that pool
    lockstep::check(cudaMemcpy(far, &number, sizeof number, cudaMemcpyDefault));
    if (set_access) {
        cudaMemAccessDesc permission{};
        permission.location.type = cudaMemLocationTypeDevice;
        permission.location.id = 0;  // who may reach the pool's memory
        permission.flags = cudaMemAccessFlagsProtReadWrite;
        lockstep::check(cudaMemPoolSetAccess(pool, &permission, 1));
    }
    // [/pool]
    lockstep::report("access of device 0", access_of_device_0(pool));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaSetDevice(0));
    fetch<<<1, 1>>>(far, near);
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    lockstep::report("kernel on device 0", cudaGetErrorName(error));
    if (!set_access)
        return error == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;

    int found = 0;
    lockstep::check(cudaMemcpy(&found, near, sizeof found, cudaMemcpyDefault));
    lockstep::report("it read", found);
    lockstep::check(cudaFree(near));
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaFreeAsync(far, nullptr));
    lockstep::check(cudaDeviceSynchronize());
    return error == cudaSuccess && found == number ? EXIT_SUCCESS : EXIT_FAILURE;
}
