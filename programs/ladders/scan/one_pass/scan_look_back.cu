// Scan, rung 5: can one pass over the data do it? Each tile publishes its sum as soon
// as it knows it and looks back at earlier tiles: it adds their published sums until it
// finds one that published its inclusive prefix. Each word is read once and written
// once. (Merrill and Garland's decoupled look-back, 2016.)

#include <cstddef>
#include <cstdint>

#include <cuda/atomic>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

#ifndef BLOCK
#define BLOCK 1024  // -DBLOCK=512: smaller tiles, and more of them on each SM
#endif
constexpr int block_size = BLOCK;
constexpr int chunks = 8;  // of four words, for each thread
constexpr int per_tile = 4 * chunks * block_size;

// [load]
/// Loads the words of this thread: chunks of four, a warp side by side; what lies
/// after the end is zero.
/// @param n     number of elements
/// @param x     n words in device memory, aligned to 16 bytes
/// @param tile  number of the tile
/// @param w     chunks of this thread, written
__device__ void load(std::size_t n, const std::uint32_t* x, std::size_t tile,
                     uint4 (&w)[chunks]) {
    const std::size_t first =
        tile * per_tile + threadIdx.x / 32 * (128 * chunks) + threadIdx.x % 32 * 4;
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t i = first + chunk * 128;
        w[chunk] = {};
        if (i + 3 < n) {
            w[chunk] = *reinterpret_cast<const uint4*>(x + i);
        } else {
            if (i < n) w[chunk].x = x[i];
            if (i + 1 < n) w[chunk].y = x[i + 1];
            if (i + 2 < n) w[chunk].z = x[i + 2];
        }
    }
}
// [/load]

// [tile]
/// Sums within a tile: each chunk becomes the inclusive sums of its four words, each
/// element of `before` what the tile holds in front of that chunk. Contains barriers.
/// @param w       chunks of this thread, changed
/// @param before  sums in front of the chunks, written
/// @return the sum of the whole tile
__device__ std::uint32_t scan_tile(uint4 (&w)[chunks],
                                   std::uint32_t (&before)[chunks]) {
    __shared__ std::uint32_t of_warps[block_size / 32];
    const int lane = threadIdx.x % 32;
    std::uint32_t upto[chunks];
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) {
        w[chunk].y += w[chunk].x;
        w[chunk].z += w[chunk].y;
        w[chunk].w += w[chunk].z;
        upto[chunk] = w[chunk].w;
    }
#pragma unroll
    for (int width = 1; width < 32; width *= 2) {
        // independent of one another: they hide their latency
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const std::uint32_t left = __shfl_up_sync(0xFFFFFFFF, upto[chunk], width);
            if (lane >= width) upto[chunk] += left;
        }
    }
    std::uint32_t warp_sum = 0;
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) {
        before[chunk] = warp_sum + upto[chunk] - w[chunk].w;
        warp_sum += __shfl_sync(0xFFFFFFFF, upto[chunk], 31);
    }
    if (lane == 0) of_warps[threadIdx.x / 32] = warp_sum;
    __syncthreads();
    const std::uint32_t other = lane < block_size / 32 ? of_warps[lane] : 0;
    const std::uint32_t warps_before =
        __reduce_add_sync(0xFFFFFFFF, lane < threadIdx.x / 32 ? other : 0);
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) before[chunk] += warps_before;
    return __reduce_add_sync(0xFFFFFFFF, other);
}
// [/tile]

// [store]
/// Stores the words of this thread, each with what lies before its chunk.
/// @param n       number of elements
/// @param sums    n words in device memory, aligned to 16 bytes
/// @param tile    number of the tile
/// @param w       chunks of this thread
/// @param before  what the tile holds in front of each chunk
/// @param prefix  what lies in front of the tile
__device__ void store(std::size_t n, std::uint32_t* sums, std::size_t tile,
                      const uint4 (&w)[chunks], const std::uint32_t (&before)[chunks],
                      std::uint32_t prefix) {
    const std::size_t first =
        tile * per_tile + threadIdx.x / 32 * (128 * chunks) + threadIdx.x % 32 * 4;
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t i = first + chunk * 128;
        const std::uint32_t add = before[chunk] + prefix;
        const uint4 out = {w[chunk].x + add, w[chunk].y + add, w[chunk].z + add,
                           w[chunk].w + add};
        if (i + 3 < n) {
            *reinterpret_cast<uint4*>(sums + i) = out;
        } else {
            if (i < n) sums[i] = out.x;
            if (i + 1 < n) sums[i + 1] = out.y;
            if (i + 2 < n) sums[i + 2] = out.z;
        }
    }
}
// [/store]

// [state]
/// What a tile has announced: a kind in the upper half, a sum in the lower. One 64-bit
/// word, so that a reader sees both halves or neither, and no other memory needs to be
/// ordered.
using announcement = unsigned long long;
constexpr announcement tile_alone = 1ull << 32;  ///< the sum of the tile
constexpr announcement with_all = 2ull << 32;  ///< the sum of the tile and all before

__device__ void announce(announcement* where, announcement what) {
    cuda::atomic_ref<announcement, cuda::thread_scope_device>(*where).store(
        what, cuda::memory_order_relaxed);
}

__device__ announcement look(announcement* where) {
    return cuda::atomic_ref<announcement, cuda::thread_scope_device>(*where).load(
        cuda::memory_order_relaxed);
}
// [/state]

// [look-back]
/// The sum of all tiles before this one; called by one whole warp.
/// @param tile    number of the tile, at least 1
/// @param states  one announcement for each tile, in device memory
__device__ std::uint32_t look_back(std::size_t tile, announcement* states) {
    const int lane = threadIdx.x % 32;
    std::uint32_t prefix = 0;
    for (long long nearest = static_cast<long long>(tile) - 1;; nearest -= 32) {
        // 32 tiles at a time, the nearest in lane 0
        const long long mine = nearest - lane;
        announcement found = with_all;
        do {  // until each of them has announced something
            if (mine >= 0) found = look(states + mine);
        } while (__any_sync(0xFFFFFFFF, found < tile_alone));
        const unsigned complete = __ballot_sync(0xFFFFFFFF, found >= with_all);
        const int last = complete ? __ffs(complete) - 1 : 31;
        prefix += __reduce_add_sync(
            0xFFFFFFFF, lane <= last ? static_cast<std::uint32_t>(found) : 0);
        if (complete) return prefix;
    }
}
// [/look-back]

// [kernel]
/// Inclusive sums in one pass.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param sums    n words in device memory, aligned to 16 bytes
/// @param states  one announcement for each tile in device memory, and one more for the
///                counter; all zero
__global__ void __launch_bounds__(block_size)
    scan_look_back(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
                   announcement* states) {
    __shared__ std::size_t tile;
    __shared__ std::uint32_t prefix;
    // numbered in order of start: every earlier tile has started
    if (threadIdx.x == 0) tile = atomicAdd(states, 1ull);
    __syncthreads();
    announcement* mine = states + 1 + tile;
    uint4 w[chunks];
    std::uint32_t before[chunks];
    load(n, x, tile, w);
    const std::uint32_t total = scan_tile(w, before);
    if (threadIdx.x < 32) {
        std::uint32_t found = 0;
        if (tile > 0) {
            if (threadIdx.x == 0) announce(mine, tile_alone | total);
            found = look_back(tile, states + 1);
        }
        if (threadIdx.x == 0) {
            announce(mine, with_all | (found + total));
            prefix = found;
        }
    }
    __syncthreads();
    store(n, sums, tile, w, before, prefix);
}
// [/kernel]

// [launch]
/// Enqueues the inclusive sums of n words.
void scan(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
          std::uint32_t* scratch) {
    const std::size_t tiles = (n + per_tile - 1) / per_tile;
    auto* states = reinterpret_cast<announcement*>(scratch);
    lockstep::check(cudaMemsetAsync(states, 0, (tiles + 1) * sizeof(announcement)));
    scan_look_back<<<static_cast<unsigned>(tiles), block_size>>>(n, x, sums, states);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_scan(argc, argv, "look-back", 80, scan);
}
