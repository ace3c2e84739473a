// A function of the host where a kernel is wanted.

#include <lockstep/provoke.hpp>

// [kernel]
void on_the_host() {}
__global__ void on_the_device() {}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, on_the_host);
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, on_the_device);
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidResourceHandle, wrong, mended); }
