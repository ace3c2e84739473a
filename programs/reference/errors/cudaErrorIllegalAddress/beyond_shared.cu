// A thread writes far behind the end of its block's shared memory.

#include <lockstep/provoke.hpp>

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
    return cudaDeviceSynchronize();
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    put<<<1, 1>>>(63);
    return cudaDeviceSynchronize();
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorIllegalAddress, wrong, mended); }
