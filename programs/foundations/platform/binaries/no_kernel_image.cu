// What happens when an executable holds no code for the GPU at hand? This one holds a
// cubin for compute capability 8.0 and nothing else. It builds, it starts, it allocates
// memory, and then the launch says cudaErrorNoKernelImageForDevice. Nothing runs, and
// nothing else breaks.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes 42.
/// @param out  one int on the device
__global__ void answer(int* out) { *out = 42; }

int main() {
    lockstep::require_device();

    int major = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::device_buffer<int> d_out(1);
    d_out.fill_bytes(0);

    // [launch]
    answer<<<1, 1>>>(d_out.data());
    const cudaError_t launch = cudaGetLastError();
    lockstep::report("launch", cudaGetErrorName(launch));
    // [/launch]

    const int out = d_out.to_host()[0];
    lockstep::report("result", out);
    lockstep::report("call after it", cudaGetErrorName(cudaDeviceSynchronize()));

    // binary compatibility ends at the major version
    const bool should_run = major == 8;
    const bool ran = launch == cudaSuccess && out == 42;
    const bool refused = launch == cudaErrorNoKernelImageForDevice && out == 0;
    return (should_run ? ran : refused) ? EXIT_SUCCESS : EXIT_FAILURE;
}
