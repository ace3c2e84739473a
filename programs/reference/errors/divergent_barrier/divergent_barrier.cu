// Half of a block waits at one barrier, half at another.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Each thread takes the number that its neighbor put into shared memory.
/// @param data  64 ints in device memory, written
template <bool in_branches>
__global__ void exchange(int* data) {
    __shared__ int words[64];
    if (threadIdx.x % 2 == 0) {
        words[threadIdx.x] = 1;
        if (in_branches) __syncthreads();
    } else {
        words[threadIdx.x] = 2;
        if (in_branches) __syncthreads();
    }
    if (!in_branches) __syncthreads();
    data[threadIdx.x] = words[threadIdx.x ^ 1];
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<int> data(64);
    exchange<true><<<1, 64>>>(data.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<int> data(64);
    exchange<false><<<1, 64>>>(data.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
