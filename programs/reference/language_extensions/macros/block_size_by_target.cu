// Should the block size of a launch depend on __CUDA_ARCH__? No: the host compilation
// does not define the macro, so the host takes the other value. The bound of the kernel
// and the block of the launch then differ, and no message says so.

#include <cstdlib>
#include <vector>  // unused; goes with the next recording

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [trap]
#if __CUDA_ARCH__ >= 750
constexpr int block_size = 512;
#else
constexpr int block_size = 256;
#endif

/// Writes the block size that device code was compiled with.
/// @param out  one int in device memory
__global__ void __launch_bounds__(block_size) note(int* out) { *out = block_size; }
// [/trap]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_out(1);
    d_out.fill_bytes(0);
    // [launch]
    note<<<1, block_size>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    // [/launch]
    const int device = d_out.to_host()[0];
    cudaFuncAttributes found{};
    lockstep::check(cudaFuncGetAttributes(&found, note));
    lockstep::report("block size for the device", device);
    lockstep::report("bound of the kernel", found.maxThreadsPerBlock);
    lockstep::report("block size for the host", block_size);
    return device == 512 && block_size == 256 ? EXIT_SUCCESS : EXIT_FAILURE;
}
