// How does a block collect the wanted elements of 64 numbers, in order? Each tile of 32
// threads learns by a ballot which of its threads have one, and each thread counts
// those before it. Then the block adds up what the tiles before have.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 64;
constexpr int tiles = block_size / 32;

// [tile]
/// Place of this thread among the threads of its tile that want one.
/// @param tile    all of its threads make the call
/// @param wanted  whether this thread wants a place
/// @param count   how many threads of the tile do, written
__device__ int place_in(const cg::thread_block_tile<32>& tile, bool wanted,
                        int& count) {
    const unsigned all = tile.ballot(wanted);  // bit r belongs to the thread of rank r
    const unsigned lower = (1u << tile.thread_rank()) - 1;
    count = __popc(all);
    return __popc(all & lower);
}
// [/tile]

// [kernel]
/// Collects the positive numbers of one block.
/// @param x       block_size ints in device memory
/// @param packed  room for as many, written from the front
/// @param places  block_size ints in device memory, written: place of each, or -1
__global__ void pack(const int* x, int* packed, int* places) {
    __shared__ int counts[tiles];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const int i = static_cast<int>(block.thread_rank());
    const bool wanted = x[i] > 0;
    int count = 0;
    int place = place_in(tile, wanted, count);
    if (tile.thread_rank() == 0) counts[tile.meta_group_rank()] = count;
    block.sync();  // the counts of all tiles are stored
    for (unsigned t = 0; t < tile.meta_group_rank(); ++t) place += counts[t];
    if (wanted) packed[place] = x[i];
    places[i] = wanted ? place : -1;
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> x(block_size), expected(block_size, 0);
    int found = 0;
    for (int i = 0; i < block_size; ++i) {
        x[i] = i * 37 % 64 - 30;
        if (x[i] > 0) expected[found++] = x[i];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_packed(block_size), d_places(block_size);
    d_packed.fill_bytes(0);
    d_places.fill_bytes(0x55);
    pack<<<1, block_size>>>(d_x.data(), d_packed.data(), d_places.data());
    lockstep::check(cudaGetLastError());

    const std::vector<int> places = d_places.to_host();
    std::printf("thread  tile  rank  number  place\n");
    for (int i = 26; i < 38; ++i)
        std::printf("%6d%6d%6d%8d%7s\n", i, i / 32, i % 32, x[i],
                    places[i] < 0 ? "-" : std::to_string(places[i]).c_str());
    return lockstep::count_mismatches(d_packed.to_host(), expected) == 0 ? EXIT_SUCCESS
                                                                         : EXIT_FAILURE;
}
