// A barrier for 33 threads. Whole warps arrive at a barrier, so its number of threads
// must be a multiple of 32. What the compiler cannot see, the hardware refuses.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Synchronizes some threads of a block.
/// @param threads  how many
__global__ void synchronize(int threads) {
    asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    synchronize<<<1, 64>>>(33);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    synchronize<<<1, 64>>>(64);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalInstruction, wrong,
                                  fixed);
}
