// Can one function work for a group whose kind and size are known only at run time?
// Yes: thread_group is a base class of the block and the type of its tiles here, and it
// keeps size, rank and sync(). The size of a tile is chosen on the command line.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;

// [sum]
/// Sum of one value of each thread of a group; all its threads must call it.
/// @param group  at most a block, a power of two threads
/// @param words  shared memory, one int for each thread of the group
/// @param value  this thread's value
__device__ int sum_of(const cg::thread_group& group, int* words, int value) {
    const unsigned rank = static_cast<unsigned>(group.thread_rank());
    words[rank] = value;
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        group.sync();
        if (rank < half) words[rank] += words[rank + half];
    }
    group.sync();
    return words[0];
}
// [/sum]

// [kernel]
/// Adds up the whole block, then each of its tiles.
/// @param tile_size  threads in a tile, a power of two up to 32
/// @param x     block_size ints in device memory
/// @param sums  device array, written: the block's sum, then that of each tile
__global__ void add_both(unsigned tile_size, const int* x, int* sums) {
    __shared__ int words[block_size];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_group tile = cg::tiled_partition(block, tile_size);
    const int value = x[block.thread_rank()];

    const int whole = sum_of(block, words, value);
    if (block.thread_rank() == 0) sums[0] = whole;
    block.sync();  // words[0] is read above and written below

    const unsigned number = block.thread_rank() / tile_size;
    const int part = sum_of(tile, words + number * tile_size, value);
    if (tile.thread_rank() == 0) sums[1 + number] = part;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int choice = options.choice("tile", {"16", "4", "8", "32"});
    options.finish();
    lockstep::require_device();

    const int tile_sizes[] = {16, 4, 8, 32};
    const int tile_size = tile_sizes[choice];
    const int tiles = block_size / tile_size;
    std::vector<int> x(block_size);
    for (int i = 0; i < block_size; ++i) x[i] = i;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sums(1 + tiles);
    d_sums.fill_bytes(0xFF);
    add_both<<<1, block_size>>>(tile_size, d_x.data(), d_sums.data());
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
