// The numbers 0 to 255 are reversed through shared memory, without a barrier.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Stores 255 to 0: each thread the number that another one left in shared memory.
/// @param data  256 ints in device memory, written
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
