// Can one function work for every group? Yes, as a template over the type of the group.
// The function receives the group by reference, so a call shows which threads must take
// part: all of the block, or all of a tile.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int tile_size = 16;

// [sum]
/// Sum of one value of each thread of a group; all its threads must call it.
/// @tparam Group  a block or a tile, a power of two threads
/// @param group   the group
/// @param words   shared memory, one int for each thread of the group
/// @param value   this thread's value
template <class Group>
__device__ int sum_of(const Group& group, int* words, int value) {
    const unsigned rank = static_cast<unsigned>(group.thread_rank());
    words[rank] = value;
    for (unsigned half = group.num_threads() / 2; half > 0; half /= 2) {
        group.sync();
        if (rank < half) words[rank] += words[rank + half];
    }
    group.sync();
    return words[0];
}
// [/sum]

// [kernel]
/// Adds up the whole block, then each of its tiles.
/// @param x     block_size ints in device memory
/// @param sums  device array, written: the block's sum, then that of each tile
__global__ void add_both(const int* x, int* sums) {
    __shared__ int words[block_size];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<tile_size>(block);
    const int value = x[block.thread_rank()];

    const int whole = sum_of(block, words, value);
    if (block.thread_rank() == 0) sums[0] = whole;
    block.sync();  // words[0] is read above and written below

    const unsigned number = tile.meta_group_rank();
    const int part = sum_of(tile, words + number * tile_size, value);
    if (tile.thread_rank() == 0) sums[1 + number] = part;
}
// [/kernel]

int main() {
    lockstep::require_device();

    const int tiles = block_size / tile_size;
    std::vector<int> x(block_size);
    for (int i = 0; i < block_size; ++i) x[i] = i;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sums(1 + tiles);
    d_sums.fill_bytes(0xFF);
    add_both<<<1, block_size>>>(d_x.data(), d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> sums = d_sums.to_host();

    bool right = sums[0] == block_size * (block_size - 1) / 2;
    for (int tile = 0; tile < tiles; ++tile)
        right = right && sums[1 + tile] ==
                             tile_size * (2 * tile * tile_size + tile_size - 1) / 2;
    lockstep::report("sum of the block", sums[0]);
    lockstep::report("tiles", tiles);
    lockstep::report("sum of the first tile", sums[1]);
    lockstep::report("sum of the last tile", sums[tiles]);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
