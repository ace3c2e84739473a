// The time between two events, of which one was never recorded.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    lockstep::check(cudaEventCreate(&begin));
    lockstep::check(cudaEventCreate(&end));
    lockstep::check(cudaEventRecord(begin));
    lockstep::check(cudaDeviceSynchronize());
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, begin, end);
    lockstep::check(cudaEventDestroy(begin));
    lockstep::check(cudaEventDestroy(end));
    return error;
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    lockstep::check(cudaEventCreate(&begin));
    lockstep::check(cudaEventCreate(&end));
    lockstep::check(cudaEventRecord(begin));
    lockstep::check(cudaEventRecord(end));
    lockstep::check(cudaDeviceSynchronize());
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, begin, end);
    lockstep::check(cudaEventDestroy(begin));
    lockstep::check(cudaEventDestroy(end));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidResourceHandle, wrong,
                                  fixed);
}
