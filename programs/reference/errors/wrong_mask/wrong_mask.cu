// A lane waits for a warp's barrier with a mask in which it is not named.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// The upper half of a warp writes, then synchronizes.
/// @param data  32 ints in device memory, of which 16 are written
/// @param mask  lanes that wait for each other
__global__ void half(int* data, unsigned mask) {
    if (threadIdx.x < 16) return;
    data[threadIdx.x] = 1;
    __syncwarp(mask);
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<int> data(32);
    half<<<1, 32>>>(data.data(), 0x0000FFFF);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<int> data(32);
    half<<<1, 32>>>(data.data(), 0xFFFF0000);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
