// An array is reversed in place through shared memory, without a barrier.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Reverses 256 numbers.
/// @param data  256 ints in device memory, changed in place
template <bool with_barrier>
__global__ void reverse(int* data) {
    __shared__ int words[256];
    words[threadIdx.x] = threadIdx.x;
    if (with_barrier) __syncthreads();
    data[threadIdx.x] = words[255 - threadIdx.x];
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<int> data(256);
    reverse<false><<<1, 256>>>(data.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<int> data(256);
    reverse<true><<<1, 256>>>(data.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
