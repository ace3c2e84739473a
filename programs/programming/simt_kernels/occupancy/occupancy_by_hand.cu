// How many blocks does an SM hold at once? As many as its scarcest resource allows:
// room for threads, for blocks, registers, shared memory. Four divisions say so
// before any launch, and the occupancy API agrees.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Needs few registers.
/// @param x  device array, one float per thread
__global__ void light(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

/// Keeps 64 values alive at once, so it needs many registers.
/// @param x  device array, 64 floats more than there are threads
__global__ void heavy(float* x) {
    float values[64];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 64; ++i) values[i] = x[thread + i];
#pragma unroll
    for (int round = 1; round < 4; ++round)
#pragma unroll
        for (int i = 0; i < 64; ++i)
            values[i] = values[i] * values[(i * 5 + round) % 64] + 1;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 64; ++i) sum += values[i];
    x[thread] = sum;
}
// [/kernels]

/// Blocks that fit into an SM by each of its resources.
struct limits {
    int by_blocks;
    int by_threads;
    int by_registers;
    int by_shared;

    int blocks() const {
        return std::min({by_blocks, by_threads, by_registers, by_shared});
    }
    const char* scarcest() const {
        const int least = blocks();
        return least == by_threads     ? "threads"
               : least == by_registers ? "registers"
               : least == by_shared    ? "shared memory"
                                       : "blocks";
    }
};

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// [by-hand]
/// The four divisions.
/// @param gpu        properties of the GPU
/// @param registers  what one thread needs
/// @param threads    threads in a block
/// @param shared     bytes of shared memory in a block
limits by_hand(const cudaDeviceProp& gpu, int registers, int threads, int shared) {
    const int warps = (threads + 31) / 32;
    limits fit{};
    fit.by_blocks = gpu.maxBlocksPerMultiProcessor;
    fit.by_threads = gpu.maxThreadsPerMultiProcessor / (warps * 32);

    // A warp gets its registers in units of 256, from one of the four parts of the SM.
    const int registers_of_warp = round_up(registers * 32, 256);
    const int warps_in_part = gpu.regsPerMultiprocessor / 4 / registers_of_warp;
    fit.by_registers = 4 * warps_in_part / warps;

    // Each block costs some bytes that the system keeps; shared memory comes in units
    // of 128 bytes.
    const int shared_of_block =
        round_up(shared + static_cast<int>(gpu.reservedSharedMemPerBlock), 128);
    fit.by_shared =
        static_cast<int>(gpu.sharedMemPerMultiprocessor) / std::max(shared_of_block, 1);
    return fit;
}
// [/by-hand]

/// A kernel and its name.
struct kernel {
    const char* name;
    void (*code)(float*);
};

// [by-api]
/// The API's answer for the same question.
int by_api(const kernel& asked, int threads, int shared) {
    int blocks = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked.code,
                                                                  threads, shared));
    return blocks;
}
// [/by-api]

/// Prints one row, and returns whether both answers agree.
bool show(const cudaDeviceProp& gpu, const kernel& asked, int threads, int shared_kib) {
    cudaFuncAttributes needs{};
    lockstep::check(cudaFuncGetAttributes(&needs, asked.code));
    const limits fit = by_hand(gpu, needs.numRegs, threads, shared_kib * 1024);
    const int api = by_api(asked, threads, shared_kib * 1024);
    const double occupancy = 100.0 * fit.blocks() * ((threads + 31) / 32) * 32 /
                             gpu.maxThreadsPerMultiProcessor;
    std::printf("%-8s%5d%8d%8d KiB%7d%6d%8.1f %%  %s\n", asked.name, needs.numRegs,
                threads, shared_kib, fit.blocks(), api, occupancy, fit.scarcest());
    return fit.blocks() == api;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 0, 1, 1024);
    const int shared_kib = options.integer("shared-kib", 0, 0, 227);
    const bool use_heavy = options.choice("kernel", {"light", "heavy"}) == 1;
    const bool suggest = options.flag("suggest");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    if (suggest) {
        // [suggest]
        int grid_size = 0;
        int block_size = 0;
        lockstep::check(
            cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, light));
        lockstep::report("suggested block", block_size, "threads");
        lockstep::report("smallest full grid", grid_size, "blocks");
        // [/suggest]
        return grid_size > 0 && block_size > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    // [limits]
    cudaDeviceProp gpu{};
    lockstep::check(cudaGetDeviceProperties(&gpu, 0));
    const int most_shared = static_cast<int>(gpu.sharedMemPerBlockOptin);
    // [/limits]
    const kernel light_one{"light", light};
    const kernel heavy_one{"heavy", heavy};
    for (const kernel& each : {light_one, heavy_one})
        lockstep::check(cudaFuncSetAttribute(
            each.code, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));

    constexpr const char* heading =
        "kernel   regs threads      shared   hand   API  occupancy  limited by";
    if (threads) {
        std::puts(heading);
        return show(gpu, use_heavy ? heavy_one : light_one, threads, shared_kib)
                   ? EXIT_SUCCESS
                   : EXIT_FAILURE;
    }

    std::puts("for an SM");
    lockstep::report("  blocks", gpu.maxBlocksPerMultiProcessor);
    lockstep::report("  threads", gpu.maxThreadsPerMultiProcessor);
    lockstep::report("  registers", gpu.regsPerMultiprocessor);
    lockstep::report("  shared memory", gpu.sharedMemPerMultiprocessor, "bytes");
    std::puts("for a block");
    lockstep::report("  threads", gpu.maxThreadsPerBlock);
    lockstep::report("  registers", gpu.regsPerBlock);
    lockstep::report("  shared memory", gpu.sharedMemPerBlock, "bytes");
    lockstep::report("  on request", gpu.sharedMemPerBlockOptin, "bytes");
    lockstep::report("  reserved by the system", gpu.reservedSharedMemPerBlock,
                     "bytes");

    std::puts(heading);
    bool agree = true;
    for (const int size : {1024, 768, 512, 96, 32})
        agree = show(gpu, light_one, size, 0) && agree;
    for (const int kib : {16, 48, 100, 114, 200})
        if (kib * 1024 <= most_shared) agree = show(gpu, light_one, 256, kib) && agree;
    for (const int size : {1024, 512, 256})
        agree = show(gpu, heavy_one, size, 0) && agree;

    lockstep::csv_file table(csv, "threads,shared_kib,blocks,occupancy_percent");
    for (const int size : {128, 256, 512, 1024}) {
        for (int kib = 0; kib * 1024 <= most_shared; kib += 8) {
            const int blocks = by_api(light_one, size, kib * 1024);
            table.row("%d,%d,%d,%.4g", size, kib, blocks,
                      100.0 * blocks * size / gpu.maxThreadsPerMultiProcessor);
        }
    }
    table.finish();
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
