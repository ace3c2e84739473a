// A sum begins with what happened to be in memory.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Adds one for each thread.
/// @param sum  one int in device memory, increased
__global__ void add(int* sum) { atomicAdd(sum, 1); }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<int> sum(1);
    add<<<1, 256>>>(sum.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<int> sum(1);
    sum.fill_bytes(0);
    add<<<1, 256>>>(sum.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
