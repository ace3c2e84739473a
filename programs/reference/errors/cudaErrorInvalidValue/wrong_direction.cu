// A copy whose direction does not fit its pointers.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() {
    int host[100] = {};
    int* device = nullptr;
    lockstep::check(cudaMalloc(&device, sizeof host));
    const cudaError_t error =
        cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);
    lockstep::check(cudaFree(device));
    return error;
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    int host[100] = {};
    int* device = nullptr;
    lockstep::check(cudaMalloc(&device, sizeof host));
    const cudaError_t error = cudaMemcpy(device, host, sizeof host, cudaMemcpyDefault);
    lockstep::check(cudaFree(device));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidValue, wrong, fixed);
}
