// How does a function know on which side it was compiled? __CUDA_ARCH__ is defined
// while nvcc compiles for a GPU, and only then. Its value is the target of that
// compilation, which need not be the capability of the GPU that runs the result.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [function]
/// Target of this compilation: 0 on the host, 10 * (10 * major + minor) on a GPU.
__host__ __device__ int compiled_for() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return 0;
#endif
}
// [/function]

/// Asks on the device.
/// @param target  one int on the device
__global__ void ask(int* target) { *target = compiled_for(); }

int main() {
    lockstep::require_device();

    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    lockstep::device_buffer<int> d_target(1);
    d_target.fill_bytes(0xFF);

    // [ask]
    ask<<<1, 1>>>(d_target.data());
    lockstep::check(cudaGetLastError());
    const int on_device = d_target.to_host()[0];
    const int on_host = compiled_for();
    // [/ask]

    lockstep::report("host, __CUDA_ARCH__", on_host ? "defined" : "not defined");
    lockstep::report("device, __CUDA_ARCH__", on_device);
    lockstep::report("this GPU", 100 * major + 10 * minor);
    const bool possible = 0 < on_device && on_device <= 100 * major + 10 * minor;
    return on_host == 0 && possible ? EXIT_SUCCESS : EXIT_FAILURE;
}
