// The unified data cache of an SM is divided into L1 cache and shared memory. A kernel
// asks for a carveout, the share for shared memory, in percent of the largest size. The
// hardware rounds it up to a supported size: here measured in blocks of 8 KiB that fit.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

/// Does nothing with its shared memory.
__global__ void kernel() {}

int main() {
    lockstep::require_device(90);

    // [steps]
    constexpr int bytes = 7 * 1024;  // the system reserves 1 KiB more for each block
    std::printf("carveout   resident blocks   shared memory, at least\n");
    int before = 0;
    bool rising = true;
    for (const int percent : {0, 3, 5, 10, 25, 29, 44, 58, 72, 86, 100}) {
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
        int blocks = 0;
        lockstep::check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, bytes));
        std::printf("%6d %%   %15d   %17d KiB\n", percent, blocks, blocks * 8);
        rising = rising && blocks >= before;
        before = blocks;
    }
    const cudaError_t too_much = cudaFuncSetAttribute(
        kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101);
    std::printf("%6d %%   %s\n", 101, cudaGetErrorName(too_much));
    // [/steps]
    return rising && too_much == cudaErrorInvalidValue ? EXIT_SUCCESS : EXIT_FAILURE;
}
