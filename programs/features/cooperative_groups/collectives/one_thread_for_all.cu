// How does one thread act for its group? invoke_one calls a function in one thread,
// and invoke_one_broadcast gives all of them what it returned. Which thread it is, is
// not specified, so the function must not depend on it.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int tiles = block_size / 32;

/// What the groups counted.
struct tally {
    int block_calls;  ///< calls by blocks
    int tile_calls;   ///< calls by tiles
    int next;         ///< next free place
    int chosen;       ///< rank of the thread that a tile's call ran in
};

// [kernel]
/// Each tile reserves a place for each of its threads with one atomic operation.
/// @param count   device object, which counts
/// @param places  one int for each thread in device memory, written
__global__ void reserve(tally* count, int* places) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);

    cg::invoke_one(block, [&] { atomicAdd(&count->block_calls, 1); });

    const int first = cg::invoke_one_broadcast(tile, [&] {
        atomicAdd(&count->tile_calls, 1);
        atomicExch(&count->chosen, static_cast<int>(tile.thread_rank()));
        return atomicAdd(&count->next, 32);
    });
    places[block.thread_rank()] = first + tile.thread_rank();
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<tally> d_count(1);
    d_count.fill_bytes(0);
    lockstep::device_buffer<int> d_places(block_size);
    d_places.fill_bytes(0xFF);
    reserve<<<1, block_size>>>(d_count.data(), d_places.data());
    lockstep::check(cudaGetLastError());
    const tally count = d_count.to_host()[0];

    std::vector<int> times(block_size);  // how often each place was handed out
    for (const int place : d_places.to_host())
        if (place >= 0 && place < block_size) ++times[place];
    lockstep::report("calls for the block", count.block_calls);
    lockstep::report("calls for the tiles", count.tile_calls);
    lockstep::report("places handed out", count.next);
    lockstep::report("rank that was chosen last", lockstep::counted{count.chosen});
    return count.block_calls == 1 && count.tile_calls == tiles &&
                   times == std::vector<int>(block_size, 1)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
