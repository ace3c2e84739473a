// How many blocks does an SM hold, for each number of threads, of registers and of
// bytes of shared memory? The occupancy API answers for kernels that need few registers
// and many; the page's calculator must give the same numbers.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Keeps many values alive at once, so it needs many registers.
/// @tparam values  how many
/// @param x  device array, blockDim.x + values floats, changed in place
template <int values>
__global__ void keep(float* x) {
    float kept[values];
#pragma unroll
    for (int i = 0; i < values; ++i) kept[i] = x[threadIdx.x + i];
#pragma unroll
    for (int round = 1; round < 4; ++round)
#pragma unroll
        for (int i = 0; i < values; ++i)
            kept[i] = kept[i] * kept[(i * 5 + round) % values] + 1;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < values; ++i) sum += kept[i];
    x[threadIdx.x] = sum;
}
// [/kernels]

// [ask]
/// The API's answer: blocks that an SM holds at once.
int resident_blocks(void (*kernel)(float*), int threads, int shared_bytes) {
    int blocks = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, threads, shared_bytes));
    return blocks;
}
// [/ask]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    cudaDeviceProp gpu{};
    lockstep::check(cudaGetDeviceProperties(&gpu, 0));
    const int most_shared = static_cast<int>(gpu.sharedMemPerBlockOptin);

    lockstep::csv_file table(csv, "capability,threads,registers,shared_bytes,blocks");
    int cases = 0;
    bool possible = true;
    for (const auto kernel : {keep<2>, keep<12>, keep<20>, keep<26>, keep<34>, keep<50>,
                              keep<70>, keep<140>}) {
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));
        cudaFuncAttributes needs{};
        lockstep::check(cudaFuncGetAttributes(&needs, kernel));
        for (const int threads : {1, 32, 96, 128, 250, 256, 384, 512, 768, 1024}) {
            for (const int shared : {0, 1000, 5000, 16384, 48 * 1024, most_shared}) {
                const int blocks = resident_blocks(kernel, threads, shared);
                table.row("%d,%d,%d,%d,%d", gpu.major * 10 + gpu.minor, threads,
                          needs.numRegs, shared, blocks);
                possible = possible && blocks >= 0 &&
                           blocks * threads <= gpu.maxThreadsPerMultiProcessor;
                ++cases;
            }
        }
    }
    table.finish();
    lockstep::report("configurations", cases);
    lockstep::report("more threads than fit", !possible);
    return possible ? EXIT_SUCCESS : EXIT_FAILURE;
}
