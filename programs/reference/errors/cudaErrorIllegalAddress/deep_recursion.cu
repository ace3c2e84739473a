// A function that calls itself until the thread's stack is full.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>
#include <lockstep/report.hpp>

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

// [fall]
/// Prints how much stack a thread has, and goes 100 levels deep.
static cudaError_t fall_100() {
    std::size_t bytes = 0;
    lockstep::check(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    lockstep::report("stack of a thread", bytes, "bytes");
    fall<<<1, 1>>>(100);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fall]

// [wrong]
static cudaError_t wrong() {
    return fall_100();  // with the default limit
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    // bytes, for every thread
    lockstep::check(cudaDeviceSetLimit(cudaLimitStackSize, 16'384));
    return fall_100();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalAddress, wrong, fixed);
}
