// The time between two events, of which one was never recorded.

#include <lockstep/provoke.hpp>

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

// [mended]
static cudaError_t mended() {
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
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidResourceHandle, wrong, mended); }
