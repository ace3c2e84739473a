// Can sixteen threads work together, half a warp? Yes: Cooperative Groups divides a
// block into tiles of 16. Each tile has a size, ranks and a way to pass values, so the
// same code that adds up a tile would add up a tile of 4 or 32. The threads of a warp
// that are active together at one point form a group as well.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 64;

/// What the groups of one block found.
struct findings {
    int threads_in_block;
    int threads_in_tile;
    int tiles;
    int tile_sums[block_size];     ///< one per tile, by shuffles
    int reduced_sums[block_size];  ///< one per tile, by the library
    int sum_of_block;
    int active_in_branch;
};

// [sum]
/// Sum of one value of each thread of a group; only rank 0 has it.
/// @param group  a tile
/// @param value  this thread's value
template <class Group>
__device__ int sum_of(const Group& group, int value) {
    for (int step = group.size() / 2; step > 0; step /= 2)
        value += group.shfl_down(value, step);
    return value;
}
// [/sum]

// [kernel]
/// Adds up a block's values in tiles.
/// @tparam tile_size  threads in a tile, a power of two up to 32
/// @param x      device array of `block_size` values
/// @param found  device object that the findings go to
template <int tile_size>
__global__ void add_in_tiles(const int* x, findings* found) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<tile_size> tile = cg::tiled_partition<tile_size>(block);

    __shared__ int sum_of_block;
    if (block.thread_rank() == 0) sum_of_block = 0;
    block.sync();  // the same as __syncthreads()

    const int value = x[block.thread_rank()];
    const int sum = sum_of(tile, value);
    const int reduced = cg::reduce(tile, value, cg::plus<int>());
    if (tile.thread_rank() == 0) {
        found->tile_sums[tile.meta_group_rank()] = sum;
        found->reduced_sums[tile.meta_group_rank()] = reduced;
        atomicAdd(&sum_of_block, sum);
    }
    block.sync();
    if (block.thread_rank() == 0) {
        found->threads_in_block = block.num_threads();
        found->threads_in_tile = tile.num_threads();
        found->tiles = tile.meta_group_size();
        found->sum_of_block = sum_of_block;
    }
}
// [/kernel]

// [branch]
/// The threads of a warp that are active together in a branch, as a group.
/// @param found  device object that the findings go to
__global__ void count_active_in_branch(findings* found) {
    if (threadIdx.x % 2 == 1) {
        const cg::coalesced_group here = cg::coalesced_threads();
        if (here.thread_rank() == 0) found->active_in_branch = here.num_threads();
    }
}
// [/branch]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int size = options.choice("tile", {"16", "4", "32"});
    options.finish();
    lockstep::require_device();

    std::vector<int> x(block_size);
    for (int i = 0; i < block_size; ++i) x[i] = i;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<findings> d_found(1);
    d_found.fill_bytes(0xFF);
    if (size == 0) add_in_tiles<16><<<1, block_size>>>(d_x.data(), d_found.data());
    if (size == 1) add_in_tiles<4><<<1, block_size>>>(d_x.data(), d_found.data());
    if (size == 2) add_in_tiles<32><<<1, block_size>>>(d_x.data(), d_found.data());
    lockstep::check(cudaGetLastError());
    count_active_in_branch<<<1, 32>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    const findings found = d_found.to_host()[0];

    lockstep::report("threads in the block", found.threads_in_block);
    lockstep::report("threads in a tile", found.threads_in_tile);
    lockstep::report("tiles", found.tiles);
    lockstep::report("sum of the first tile", found.tile_sums[0]);
    lockstep::report("sum of the last tile", found.tile_sums[found.tiles - 1]);
    lockstep::report("sum of the block", found.sum_of_block);
    lockstep::report("active together in branch",
                     lockstep::counted{found.active_in_branch});

    bool right = found.sum_of_block == block_size * (block_size - 1) / 2 &&
                 // nothing promises that all 16 are active together
                 found.active_in_branch >= 1 && found.active_in_branch <= 16;
    const int width = block_size / found.tiles;
    for (int tile = 0; tile < found.tiles; ++tile) {
        const int expected = width * (2 * tile * width + width - 1) / 2;
        right = right && found.tile_sums[tile] == expected &&
                found.reduced_sums[tile] == expected;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
