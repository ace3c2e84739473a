// What does every member of a tile return? Tiles of 1 to 512 threads divide a block of
// 512, and the thread of rank 77 in the block asks. Shuffles pass the rank in the
// block, so their result names the thread that the value came from. Tiles above 32 lack
// the members that need one warp. A coalesced group of the odd lanes answers like a
// tile.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 512;
constexpr unsigned asking = 77;  // rank in the block of the thread that notes
constexpr int groups = 11;  // ten sizes of tiles, and one coalesced group

/// What the members returned.
struct answers {
    unsigned thread_rank, num_threads, meta_group_rank, meta_group_size;
    unsigned shfl, any, all;
    unsigned shfl_up, shfl_down, shfl_xor, ballot, match_any, match_all, same;
};

/// A value of 32 bytes.
struct wide {
    unsigned words[8];
};

// [every-tile]
/// The members that all tiles and coalesced groups have.
/// @param group  the group
/// @param mine   rank of the thread in its block
template <class Group>
__device__ answers ask(const Group& group, unsigned mine) {
    answers said = {};
    said.thread_rank = group.thread_rank();
    said.num_threads = group.num_threads();
    said.meta_group_rank = group.meta_group_rank();
    said.meta_group_size = group.meta_group_size();
    said.shfl = group.shfl(mine, 0);
    said.any = group.any(mine == asking);
    said.all = group.all(mine == asking);
    group.sync();
    return said;
}
// [/every-tile]

// [one-warp]
/// The members of groups within a warp.
/// @param group  the group
/// @param mine   rank of the thread in its block
/// @param said   the answers so far, completed
template <class Group>
__device__ void ask_within_warp(const Group& group, unsigned mine, answers& said) {
    said.shfl_up = group.shfl_up(mine, 1);
    said.shfl_down = group.shfl_down(mine, 2);
    said.ballot = group.ballot(mine % 4 == 1);
    said.match_any = group.match_any(mine / 8);
    int same = 0;
    said.match_all = group.match_all(mine / 64, same);
    said.same = same != 0;
}
// [/one-warp]

/// Asks all tiles of the sizes Size, 2 * Size, ..., 512.
/// @tparam Size  the first size
/// @param block  the block
/// @param said   one set of answers for each size in device memory, written
template <unsigned Size>
__device__ void ask_tiles(const cg::thread_block& block, answers* said) {
    const unsigned mine = block.thread_rank();
    const auto tile = cg::tiled_partition<Size>(block);
    answers found = ask(tile, mine);
    if constexpr (Size <= 32) {
        ask_within_warp(tile, mine, found);
        found.shfl_xor = tile.shfl_xor(mine, 1);
    }
    if (mine == asking) *said = found;
    block.sync();
    if constexpr (Size < block_size) ask_tiles<2 * Size>(block, said + 1);
}

/// Asks all groups.
/// @param said      one set of answers for each group in device memory, written
/// @param wide_sum  sum of a shuffled value of 32 bytes, in device memory, written
__global__ void ask_groups(answers* said, unsigned* wide_sum) {
    // [memory]
    __shared__ cg::block_tile_memory<block_size> memory;  // empty from 8.0 on
    const cg::thread_block block = cg::this_thread_block(memory);
    ask_tiles<1>(block, said);
    // [/memory]
    const unsigned mine = block.thread_rank();
    if (mine % 2 == 1) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        answers found = ask(odd, mine);
        ask_within_warp(odd, mine, found);
        if (mine == asking) said[groups - 1] = found;
    }
    block.sync();
    // [wide]
    const auto warp = cg::tiled_partition<32>(block);
    wide value = {};
    for (int i = 0; i < 8; ++i) value.words[i] = mine + i;
    value = warp.shfl(value, 31);
    // [/wide]
    if (mine == asking)
        for (int i = 0; i < 8; ++i) *wide_sum += value.words[i];
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<answers> d_said(groups);
    lockstep::device_buffer<unsigned> d_sum(1);
    d_said.fill_bytes(0xFF);
    d_sum.fill_bytes(0);
    ask_groups<<<1, block_size>>>(d_said.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    const std::vector<answers> said = d_said.to_host();
    const unsigned wide_sum = d_sum.to_host()[0];

    bool right = true;
    std::printf(
        "members of all groups     rank  threads  part  parts  shfl  any  all\n");
    for (int i = 0; i < groups; ++i) {
        const bool odd = i == groups - 1;
        const answers& a = said[i];
        char name[32];
        std::snprintf(name, sizeof name, odd ? "odd lanes" : "tile of %d", 1 << i);
        std::printf("%-24s%6u%9u%6u%7u%6u%5u%5u\n", name, a.thread_rank, a.num_threads,
                    a.meta_group_rank, a.meta_group_size, a.shfl, a.any, a.all);
        const unsigned size = odd ? 16 : 1u << i;
        if (odd)
            right = right && a.thread_rank == (asking % 32) / 2 && a.shfl == 65 &&
                    a.num_threads == 16 && a.meta_group_rank == 0 &&
                    a.meta_group_size == 1;
        else
            right = right && a.thread_rank == asking % size && a.num_threads == size &&
                    a.meta_group_rank == asking / size &&
                    a.meta_group_size == block_size / size &&
                    a.shfl == asking / size * size;
        right = right && a.any == 1 && a.all == (size == 1);
    }
    std::printf(
        "within a warp               up  down   xor    ballot  match_any  "
        "match_all\n");
    for (const int i : {0, 1, 2, 3, 4, 5, groups - 1}) {
        const bool odd = i == groups - 1;
        const answers& a = said[i];
        char name[32], exchanged[8], all[16];
        std::snprintf(name, sizeof name, odd ? "odd lanes" : "tile of %d", 1 << i);
        std::snprintf(exchanged, sizeof exchanged, odd ? "-" : "%u", a.shfl_xor);
        std::snprintf(all, sizeof all, "%x", a.match_all);
        std::printf("%-24s%6u%6u%6s%10x%11x%11s\n", name, a.shfl_up, a.shfl_down,
                    exchanged, a.ballot, a.match_any, all);
        const int size = odd ? 16 : 1 << i;
        const int step = odd ? 2 : 1;  // between neighbors of the group
        const int rank = static_cast<int>(a.thread_rank);
        const int first = odd ? 65 : static_cast<int>(asking) / size * size;
        const auto member = [&](int r) {
            return static_cast<unsigned>(first + r * step);
        };
        unsigned ballot = 0, match = 0;
        for (int r = 0; r < size; ++r) {
            if (member(r) % 4 == 1) ballot |= 1u << r;
            if (member(r) / 8 == asking / 8) match |= 1u << r;
        }
        const unsigned everyone = size == 32 ? ~0u : (1u << size) - 1;
        right = right && a.shfl_up == member(rank > 0 ? rank - 1 : rank) &&
                a.shfl_down == member(rank + 2 < size ? rank + 2 : rank) &&
                (odd || size == 1 || a.shfl_xor == (asking ^ 1)) &&
                a.ballot == ballot && a.match_any == match && a.match_all == everyone &&
                a.same == 1;
    }
    lockstep::report("32 bytes from lane 31, sum", wide_sum);
    right = right && wide_sum == 8 * 95 + 28;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
