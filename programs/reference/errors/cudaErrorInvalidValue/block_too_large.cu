// A launch whose blocks have more than 1024 threads.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
__global__ void nothing() {}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    nothing<<<1, 1025>>>();
    return cudaGetLastError();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    nothing<<<2, 1024>>>();
    const cudaError_t error = cudaGetLastError();
    lockstep::check(cudaDeviceSynchronize());
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidValue, wrong, fixed);
}
