// How many blocks of a kernel fit on one SM? Four limits apply: the SM's block slots,
// its threads, its registers, and its shared memory. Compute the number for any kernel.
// The occupancy API knows the answer, and your function is compared with it.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// What one SM has.
struct supply {
    int blocks;  ///< at most
    int threads;  ///< at most
    int registers;  ///< given to warps in units of 256
    int shared;  ///< bytes, given to blocks in units of 128
    int reserved;  ///< bytes of shared memory that each block costs beyond its own
};

/// What a launch needs.
struct demand {
    int threads;  ///< of a block
    int registers;  ///< of a thread
    int shared;  ///< bytes of a block
};

/// The next multiple of a unit.
int rounded_up(int amount, int unit) { return (amount + unit - 1) / unit * unit; }

/// The blocks that one SM can hold at once.
int resident_blocks(const supply& has, const demand& needs) {
    // [task]
    const int warps = rounded_up(needs.threads, 32) / 32;
    const int by_threads = has.threads / (warps * 32);
    const int warps_by_registers =
        has.registers / rounded_up(needs.registers * 32, 256);
    // each of the four schedulers has its own quarter
    const int by_registers = warps_by_registers / 4 * 4 / warps;
    const int by_shared = has.shared / rounded_up(needs.shared + has.reserved, 128);
    return std::min({has.blocks, by_threads, by_registers, by_shared});
    //= given
    //| return std::min(has.blocks, needs.threads);  // what else is used up?
    //= mutant threads_only
    //| return std::min(has.blocks, has.threads / rounded_up(needs.threads, 32));
    //= mutant threads_not_rounded
    //| const int by_threads = has.threads / needs.threads;
    //| const int registers = rounded_up(needs.registers * 32, 256);
    //| const int warps = has.registers / registers / 4 * 4;
    //| const int by_registers = warps * 32 / needs.threads;
    //| const int by_shared = has.shared / rounded_up(needs.shared + has.reserved, 128);
    //| return std::min({has.blocks, by_threads, by_registers, by_shared});
    //= mutant schedulers_forgotten
    //| const int warps = rounded_up(needs.threads, 32) / 32;
    //| const int by_threads = has.threads / (warps * 32);
    //| const int by_registers =
    //|     has.registers / rounded_up(needs.registers * 32, 256) / warps;
    //| const int by_shared = has.shared / rounded_up(needs.shared + has.reserved, 128);
    //| return std::min({has.blocks, by_threads, by_registers, by_shared});
    //= mutant registers_not_rounded
    //| const int by_threads = has.threads / rounded_up(needs.threads, 32);
    //| const int by_registers = has.registers / (needs.registers * needs.threads);
    //| const int by_shared = has.shared / rounded_up(needs.shared + has.reserved, 128);
    //| return std::min({has.blocks, by_threads, by_registers, by_shared});
    //= mutant shared_without_reserve
    //| const int warps = rounded_up(needs.threads, 32) / 32;
    //| const int by_threads = has.threads / (warps * 32);
    //| const int by_registers =
    //|     has.registers / rounded_up(needs.registers * 32, 256) / 4 * 4 / warps;
    //| const int by_shared =
    //|     needs.shared == 0 ? has.blocks : has.shared / needs.shared;
    //| return std::min({has.blocks, by_threads, by_registers, by_shared});
    // [/task]
}

/// Keeps many values at once, to need registers.
/// @param x  blockDim.x + values floats in device memory, changed in place
template <int values>
__global__ void keep(float* x) {
    extern __shared__ float dynamic[];
    float kept[values];
#pragma unroll
    for (int i = 0; i < values; ++i) kept[i] = x[threadIdx.x + i];
#pragma unroll
    for (int round = 0; round < 3; ++round)
#pragma unroll
        for (int i = 0; i < values; ++i)
            kept[i] = kept[i] * kept[(i * 5 + round + 1) % values] + 1;
    float sum = threadIdx.x == 5000 ? dynamic[0] : 0;
#pragma unroll
    for (int i = 0; i < values; ++i) sum += kept[i];
    x[threadIdx.x] = sum;
}

int main() {
    lockstep::require_device();

    const auto attribute = [](cudaDeviceAttr which) {
        int value = 0;
        lockstep::check(cudaDeviceGetAttribute(&value, which, 0));
        return value;
    };
    const supply has{attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
                     attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
                     attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
                     attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                     attribute(cudaDevAttrReservedSharedMemoryPerBlock)};
    lockstep::exercise_verdict verdict;
    const struct {
        const char* name;
        void (*kernel)(float*);
    } kernels[] = {{"few registers", keep<4>},
                   {"more", keep<21>},
                   {"many", keep<45>},
                   {"very many", keep<90>}};
    const std::vector<int> amounts{0, 1000, 6400, 11'000, 20'000, 48'000};
    std::vector<int> sizes;  // most of them no multiple of a warp
    for (int threads = 32; threads <= 1024; threads += 11) sizes.push_back(threads);
    for (const auto& [name, kernel] : kernels) {
        cudaFuncAttributes needs{};
        lockstep::check(cudaFuncGetAttributes(&needs, kernel));
        std::vector<int> mine;
        std::vector<int> truth;
        for (const int threads : sizes)
            for (const int shared : amounts) {
                int blocks = 0;
                lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &blocks, kernel, threads, shared));
                truth.push_back(blocks);
                mine.push_back(resident_blocks(has, {threads, needs.numRegs, shared}));
            }
        const auto place = [&](std::size_t i) {
            return std::to_string(sizes[i / amounts.size()]) + " threads with " +
                   std::to_string(needs.numRegs) + " registers each and " +
                   std::to_string(amounts[i % amounts.size()]) + " bytes: the number";
        };
        verdict.equal(name, mine, truth, place);
    }
    return verdict.finish();
}
