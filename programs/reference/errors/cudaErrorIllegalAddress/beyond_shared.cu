// A thread writes far beyond the end of its block's shared memory.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
__device__ int kept;

/// Writes one word of shared memory.
/// @param place  which one
__global__ void put(int place) {
    __shared__ int words[64];
    words[place] = place;
    __syncthreads();
    kept = words[place];
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    put<<<1, 1>>>(1 << 20);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    put<<<1, 1>>>(63);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalAddress, wrong, fixed);
}
