// How does a whole block reduce? reduce() has no overload for a block, but a tile may
// have up to 1024 threads. Three sums of a block's values: a tile as large as the
// block, tiles of 32 whose sums a second reduction adds up, and a tree in shared
// memory. All give the same; the program compares their cycles.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// [large]
/// By one tile of the block's size; it needs memory to pass values between warps.
struct by_large_tile {
    static __device__ auto group() {
        __shared__ cg::block_tile_memory<block_size> memory;
        const cg::thread_block block = cg::this_thread_block(memory);
        return cg::tiled_partition<block_size>(block);
    }
    template <class Tile>
    static __device__ int sum(const Tile& tile, int value) {
        return cg::reduce(tile, value, cg::plus<int>());
    }
};
// [/large]

struct by_warps {
    static __device__ auto group() { return cg::this_thread_block(); }
    // [small]
    /// The sum of a block: by tiles of 32, whose sums every tile adds up once more.
    static __device__ int sum(const cg::thread_block& block, int value) {
        __shared__ int sums[block_size / 32];
        const auto tile = cg::tiled_partition<32>(block);
        const int part = cg::reduce(tile, value, cg::plus<int>());
        if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = part;
        block.sync();
        const bool has_sum = tile.thread_rank() < tile.meta_group_size();
        const int whole =
            cg::reduce(tile, has_sum ? sums[tile.thread_rank()] : 0, cg::plus<int>());
        block.sync();  // the next sum overwrites what slower threads still read
        return whole;
    }
    // [/small]
};

/// By a tree in shared memory.
struct by_tree {
    static __device__ auto group() { return cg::this_thread_block(); }
    static __device__ int sum(const cg::thread_block& block, int value) {
        __shared__ int sums[block_size];
        const unsigned rank = block.thread_rank();
        sums[rank] = value;
        for (unsigned half = block_size / 2; half > 0; half /= 2) {
            block.sync();
            if (rank < half) sums[rank] += sums[rank + half];
        }
        block.sync();
        const int whole = sums[0];
        block.sync();  // the next sum overwrites what slower threads still read
        return whole;
    }
};

// [kernel]
/// A chain of sums of the block, each of which needs the one before it.
/// @tparam How    the sum is made
/// @param rounds  number of sums
/// @param sums    one int for each thread in device memory, written
/// @param cycles  device value, written: clock cycles of all sums
template <class How>
__global__ void add_block(int rounds, int* sums, long long* cycles) {
    const auto group = How::group();
    int value = threadIdx.x;
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round)
        value = How::sum(group, value) % 1000 + threadIdx.x;
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    sums[threadIdx.x] = value;
}
// [/kernel]

/// Cycles of one sum: the median of 21 launches, or -1 if a sum was wrong.
template <class How>
double cycles_of(int rounds) {
    std::vector<int> expected(block_size);
    for (int i = 0; i < block_size; ++i) expected[i] = i;
    for (int round = 0; round < rounds; ++round) {
        int whole = 0;
        for (const int value : expected) whole += value;
        for (int i = 0; i < block_size; ++i) expected[i] = whole % 1000 + i;
    }
    lockstep::device_buffer<int> d_sums(block_size);
    lockstep::device_buffer<long long> d_cycles(1);
    std::vector<double> samples;
    for (int run = 0; run < 21; ++run) {
        d_sums.fill_bytes(0xFF);
        add_block<How><<<1, block_size>>>(rounds, d_sums.data(), d_cycles.data());
        lockstep::check(cudaGetLastError());
        if (d_sums.to_host() != expected) return -1;
        samples.push_back(double(d_cycles.to_host()[0]) / rounds);
    }
    std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
    return samples[10];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 500, 1, 100'000);
    options.finish();
    lockstep::require_device(80);

    const double large = cycles_of<by_large_tile>(rounds);
    const double warps = cycles_of<by_warps>(rounds);
    const double tree = cycles_of<by_tree>(rounds);
    lockstep::report("sum by a tile of 256", lockstep::measured{large}, "cycles");
    lockstep::report("sum by tiles of 32", lockstep::measured{warps}, "cycles");
    lockstep::report("sum by a tree", lockstep::measured{tree}, "cycles");
    return large > 0 && warps > 0 && tree > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
