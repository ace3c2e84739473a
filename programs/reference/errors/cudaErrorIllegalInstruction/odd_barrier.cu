// A barrier for 33 threads. Warps meet at barriers, so their number of threads must be
// a multiple of 32. What the compiler cannot see, the hardware refuses.

#include <lockstep/expect_error.hpp>

// [kernel]

// [kernel]
/// Lets some threads of a block meet.
/// @param threads  how many
__global__ void meet(int threads) {
    asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    meet<<<1, 64>>>(33);
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    meet<<<1, 64>>>(64);
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalInstruction, wrong,
                                  fixed);
}
