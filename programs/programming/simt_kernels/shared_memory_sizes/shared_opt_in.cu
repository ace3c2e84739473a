// How much shared memory may a block have? 48 KiB without asking. Beyond that, the
// kernel must opt in before the launch, and the memory must be dynamic. The device says
// where that ends.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes the last byte of its shared memory and reads it back.
/// @param bytes  size of the block's dynamic shared memory
/// @param found  one int in device memory
__global__ void use_last_byte(unsigned bytes, int* found) {
    extern __shared__ char memory[];
    if (threadIdx.x == 0) memory[bytes - 1] = 42;
    __syncthreads();
    *found = memory[bytes - 1];
}
// [/kernel]

/// Launches with so much shared memory and prints how it ended; returns whether the
/// kernel ran and was right.
bool try_launch(const char* label, unsigned bytes) {
    lockstep::device_buffer<int> d_found(1);
    d_found.fill_bytes(0);
    use_last_byte<<<1, 32, bytes>>>(bytes, d_found.data());
    const cudaError_t launch = cudaGetLastError();
    lockstep::report(label, cudaGetErrorName(launch));
    return launch == cudaSuccess && d_found.to_host()[0] == 42;
}

int main() {
    lockstep::require_device(70);

    int usual = 0;
    int most = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lockstep::report("without asking", usual, "bytes");
    lockstep::report("after opting in", most, "bytes");

    bool right = try_launch("48 KiB", 48 << 10);
    right = !try_launch("64 KiB", 64 << 10) && right;
    // [opt-in]
    lockstep::check(cudaFuncSetAttribute(
        use_last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    // [/opt-in]
    right = try_launch("64 KiB, opted in", 64 << 10) && right;
    right = try_launch("all, opted in", most) && right;
    const cudaError_t beyond = cudaFuncSetAttribute(
        use_last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1);
    cudaGetLastError();  // looked at below; no later check shall find it
    lockstep::report("opting in to one more", cudaGetErrorName(beyond));
    return right && beyond != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
