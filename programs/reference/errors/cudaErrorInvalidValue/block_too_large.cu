// A launch whose blocks have more than 1024 threads.

#include <lockstep/provoke.hpp>

// [kernel]
__global__ void nothing() {}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    nothing<<<1, 1025>>>();
    return cudaGetLastError();
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    nothing<<<2, 1024>>>();
    lockstep::check(cudaDeviceSynchronize());
    return cudaGetLastError();
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidValue, wrong, mended); }
