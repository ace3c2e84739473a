// One piece of memory on each multiprocessor is both L1 cache and shared memory. A
// kernel says what share of it should be shared, in percent. The hardware knows a few
// sizes, and takes the next larger one: counted here in blocks of 8 KiB that fit.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device.hpp>

/// Does nothing with its shared memory.
__global__ void kernel() {}

int main() {
    lockstep::require_device(90);

    // [steps]
    constexpr int bytes = 7 * 1024;  // and 1 KiB that each block costs besides
    std::printf("percent   blocks   so at least\n");
    int before = 0;
    bool rising = true;
    for (const int percent : {0, 3, 5, 10, 25, 29, 44, 58, 72, 86, 100}) {
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
        int blocks = 0;
        lockstep::check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, bytes));
        std::printf("%5d %%   %6d   %7d KiB\n", percent, blocks, blocks * 8);
        rising = rising && blocks >= before;
        before = blocks;
    }
    const cudaError_t too_much = cudaFuncSetAttribute(
        kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101);
    std::printf("%5d %%   %s\n", 101, cudaGetErrorName(too_much));
    // [/steps]
    return rising && too_much == cudaErrorInvalidValue ? EXIT_SUCCESS : EXIT_FAILURE;
}
