// A function of the host where a kernel is wanted.

#include <lockstep/expect_error.hpp>

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

// [fixed]
static cudaError_t fixed() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, on_the_device);
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidResourceHandle, wrong,
                                  fixed);
}
