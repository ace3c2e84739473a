// A function that calls itself until the thread's stack is full.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
__device__ int last;

/// Goes n levels deep, and keeps something on the stack at each.
__device__ __noinline__ int deeper(int n) {
    volatile int kept[16];
    kept[n % 16] = n;
    return n == 0 ? 0 : deeper(n - 1) + kept[n % 16];
}

__global__ void fall(int n) { last = deeper(n); }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    fall<<<1, 1>>>(1'000'000);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    // bytes, for every thread
    lockstep::check(cudaDeviceSetLimit(cudaLimitStackSize, 32'768));
    fall<<<1, 1>>>(100);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalAddress, wrong, fixed);
}
