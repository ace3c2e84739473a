// A copy whose direction does not fit its pointers.

#include <lockstep/provoke.hpp>

// [wrong]
static cudaError_t wrong() {
    int host[100] = {};
    int* device = nullptr;
    lockstep::check(cudaMalloc(&device, sizeof host));
    const cudaError_t error = cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);
    lockstep::check(cudaFree(device));
    return error;
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    int host[100] = {};
    int* device = nullptr;
    lockstep::check(cudaMalloc(&device, sizeof host));
    const cudaError_t error = cudaMemcpy(device, host, sizeof host, cudaMemcpyDefault);
    lockstep::check(cudaFree(device));
    return error;
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidValue, wrong, mended); }
