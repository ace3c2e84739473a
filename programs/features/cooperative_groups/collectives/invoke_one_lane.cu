// Which thread does invoke_one choose? That is not specified. This program notes the
// lane that each call ran in, for groups of several kinds and many warps, and prints
// the lowest and the highest of them.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int kinds = 4;
constexpr int block_size = 256;
constexpr int grid_size = 132;  // one block for each SM of an H200
constexpr int launches = 20;

/// What was seen of one kind of group.
struct choice {
    int calls;    ///< of the function
    int lowest;   ///< lane that it ran in
    int highest;  ///< lane that it ran in
};

// [kernel]
/// Notes where the calls for one group run.
/// @param group  the group
/// @param seen   what was seen of its kind, in device memory, changed
template <class Group>
__device__ void choose(const Group& group, choice* seen) {
    cg::invoke_one(group, [&] {
        const int lane = threadIdx.x % 32;
        atomicAdd(&seen->calls, 1);
        atomicMin(&seen->lowest, lane);
        atomicMax(&seen->highest, lane);
    });
}

/// Lets groups of each kind choose a thread.
/// @param seen  kinds choices in device memory, changed
__global__ void choose_all(choice* seen) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const unsigned lane = warp.thread_rank();
    choose(warp, &seen[0]);
    const auto eight = cg::tiled_partition<8>(warp);
    if (eight.meta_group_rank() == 1) choose(eight, &seen[1]);  // lanes 8 to 15
    const auto odd = cg::binary_partition(warp, lane % 2 == 1);
    if (lane % 2 == 1) choose(odd, &seen[2]);
    if (lane >= 10) choose(cg::coalesced_threads(), &seen[3]);
}
// [/kernel]

int main() {
    lockstep::require_device();

    const std::vector<choice> none(kinds, choice{0, 32, -1});
    lockstep::device_buffer<choice> d_seen(none);
    // [launches]
    for (int launch = 0; launch < launches; ++launch) {
        choose_all<<<grid_size, block_size>>>(d_seen.data());
        lockstep::check(cudaGetLastError());
    }
    // [/launches]
    const std::vector<choice> seen = d_seen.to_host();

    const char* names[kinds] = {"tile, lanes 0-31", "tile, lanes 8-15", "odd lanes",
                                "coalesced, lanes 10-31"};
    const int lowest[kinds] = {0, 8, 1, 10}, highest[kinds] = {31, 15, 31, 31};
    constexpr int warps = launches * grid_size * (block_size / 32);
    lockstep::report("warps in all launches", warps);
    std::printf("%-28s%-16s%s\n", "group", "lowest chosen", "highest chosen");
    bool right = true;
    for (int kind = 0; kind < kinds; ++kind) {
        const choice& its = seen[kind];
        std::printf("%-28s~%-15d~%d\n", names[kind], its.lowest, its.highest);
        // threads that are active in a branch may form several groups
        right = right && (kind == 3 ? its.calls >= warps : its.calls == warps) &&
                its.lowest >= lowest[kind] && its.highest <= highest[kind];
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
