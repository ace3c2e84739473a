// The time between two events, of which one has not come yet.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Takes a tenth of a second.
__global__ void work() {
    for (int i = 0; i < 100'000; ++i) __nanosleep(1000);
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    lockstep::check(cudaEventCreate(&begin));
    lockstep::check(cudaEventCreate(&end));
    lockstep::check(cudaEventRecord(begin));
    work<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, begin, end);
    lockstep::check(cudaDeviceSynchronize());
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
    work<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    lockstep::check(cudaEventSynchronize(end));
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, begin, end);
    lockstep::check(cudaEventDestroy(begin));
    lockstep::check(cudaEventDestroy(end));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorNotReady, wrong, fixed);
}
