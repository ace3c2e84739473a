// What does it cost to collect the positive numbers of an array, in order, in one
// launch? A barrier of the grid, and two reads of each element: one to count, one to
// store. CUB reads each element once, in two launches. Thrust does the same as CUB, but
// also allocates memory, and waits for the result.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <cub/device/device_select.cuh>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;
constexpr int tiles = block_size / 32;

/// The condition, for the libraries.
struct positive {
    __host__ __device__ bool operator()(int number) const { return number > 0; }
};

/// Collects the positive numbers. Each tile has a share of consecutive elements.
/// @param n       number of elements
/// @param share   elements of a tile, a multiple of 32
/// @param x       n ints in device memory
/// @param packed  room for n ints in device memory, written from the front
/// @param counts  an int for each block in device memory, written
/// @param found   one int in device memory, written: how many there are
__global__ void __launch_bounds__(block_size)
    compact(int n, int share, const int* __restrict__ x, int* __restrict__ packed,
            int* counts, int* found) {
    __shared__ int of_tile[tiles], before;
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const int lane = static_cast<int>(tile.thread_rank());
    const int index = static_cast<int>(blockIdx.x * tiles + tile.meta_group_rank());
    const int first = min(n, index * share), last = min(n, first + share);

    // [count]
    int mine = 0;
    for (int i = first + lane; i < last; i += 32) mine += x[i] > 0;
    mine = cg::reduce(tile, mine, cg::plus<int>());
    if (lane == 0) of_tile[tile.meta_group_rank()] = mine;
    if (block.thread_rank() == 0) before = 0;
    block.sync();  // the counts of all tiles are stored
    int place = 0, all = 0;
    for (unsigned t = 0; t < tiles; ++t) {
        if (t < tile.meta_group_rank()) place += of_tile[t];
        all += of_tile[t];
    }
    if (block.thread_rank() == 0) counts[blockIdx.x] = all;
    // [/count]
    // [before]
    grid.sync();  // the counts of all blocks are stored
    int others = 0;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += block_size) others += counts[b];
    others = cg::reduce(tile, others, cg::plus<int>());
    if (lane == 0) atomicAdd(&before, others);
    block.sync();
    place += before;
    // [/before]
    // [store]
    for (int row = first; row < last; row += 4 * 32) {
        int numbers[4];  // four loads are in flight before the first is used
        for (int k = 0; k < 4; ++k) {
            const int i = row + 32 * k + lane;
            numbers[k] = i < last ? x[i] : 0;
        }
        for (const int number : numbers) {
            const unsigned wanted = tile.ballot(number > 0);
            if (number > 0)
                packed[place + __popc(wanted & ((1u << lane) - 1))] = number;
            place += __popc(wanted);
        }
    }
    if (index == static_cast<int>(gridDim.x) * tiles - 1 && lane == 0) *found = place;
    // [/store]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int one = options.integer("n", 0, 0, 1 << 28);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0, blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, compact, block_size, 0));
    lockstep::csv_file series(csv, "how,elements,~us");
    std::printf("%10s%14s%14s%14s\n", "elements", "one launch", "CUB", "Thrust");
    bool right = true;
    for (int n :
         one ? std::vector<int>{one}
             : std::vector<int>{256, 1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 25}) {
        const int blocks =
            std::min((n + block_size - 1) / block_size, sms * blocks_on_each);
        int share = ((n + 31) / 32 + blocks * tiles - 1) / (blocks * tiles) * 32;
        lockstep::device_buffer<int> d_x(n), d_packed(n), d_counts(blocks), d_found(1);
        lockstep::fill_random(reinterpret_cast<std::uint32_t*>(d_x.data()), n);
        std::vector<int> expected;
        for (const int number : d_x.to_host())
            if (number > 0) expected.push_back(number);
        const int* x = d_x.data();
        int *packed = d_packed.data(), *counts = d_counts.data(),
            *found = d_found.data();
        std::printf("%10d", n);
        const auto run = [&](const char* how, auto launch) {
            d_packed.fill_bytes(0);
            launch();
            std::vector<int> result = d_packed.to_host();
            result.resize(expected.size());
            right = right && result == expected;
            if (untimed) return;
            const double us = 1e3 * lockstep::time_back_to_back(launch).median_ms;
            series.row("\"%s\",%d,%.4g", how, n, us);
            char text[24];
            std::snprintf(text, sizeof text, "~%.1f us", us);
            std::printf("%14s", text);
        };
        void* arguments[] = {&n, &share, &x, &packed, &counts, &found};
        run("one launch", [&] {
            lockstep::check(cudaLaunchCooperativeKernel(compact, blocks, block_size,
                                                        arguments, 0, nullptr));
        });
        right = right && d_found.to_host()[0] == static_cast<int>(expected.size());
        std::size_t bytes = 0;  // CUB says how much room it needs, if it gets none
        const auto by_cub = [&](char* room) {
            lockstep::check(
                cub::DeviceSelect::If(room, bytes, x, packed, found, n, positive{}));
        };
        by_cub(nullptr);
        lockstep::device_buffer<char> room(bytes);
        run("CUB", [&] { by_cub(room.data()); });
        run("Thrust",
            [&] { thrust::copy_if(thrust::device, x, x + n, packed, positive{}); });
        std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
