// Scan, rung 4: why write sums that will be changed again? If the totals of the tiles
// are known first, each word is written once, with its final value. That reads the
// array twice and writes it once: three passes over memory instead of four.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

constexpr int block_size = 512;
constexpr int chunks = 4;  // of four words, for each thread
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
    // [/tile]
    // [tile-warps]
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
// [/tile-warps]

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

// [reduce]
/// The sum of each tile.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param totals  one word for each block in device memory
__global__ void sum_tiles(std::size_t n, const std::uint32_t* x,
                          std::uint32_t* totals) {
    __shared__ std::uint32_t sum;
    if (threadIdx.x == 0) sum = 0;
    uint4 w[chunks];
    load(n, x, blockIdx.x, w);
    std::uint32_t mine = 0;
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk)
        mine += w[chunk].x + w[chunk].y + w[chunk].z + w[chunk].w;
    mine = __reduce_add_sync(0xFFFFFFFF, mine);
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) totals[blockIdx.x] = sum;
}
// [/reduce]

// [scan]
/// Inclusive sums of each tile, on top of what lies before it.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param totals  sums up to the end of each tile in device memory, or null if there is
///                one tile
/// @param sums    n words in device memory, aligned to 16 bytes; may be x
__global__ void scan_tiles(std::size_t n, const std::uint32_t* x,
                           const std::uint32_t* totals, std::uint32_t* sums) {
    uint4 w[chunks];
    std::uint32_t before[chunks];
    load(n, x, blockIdx.x, w);
    scan_tile(w, before);
    store(n, sums, blockIdx.x, w, before, blockIdx.x == 0 ? 0 : totals[blockIdx.x - 1]);
}
// [/scan]

// [launch]
/// Enqueues the inclusive sums of n words.
void scan(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
          std::uint32_t* scratch) {
    const std::size_t tiles = (n + per_tile - 1) / per_tile;
    if (tiles > 1) {
        sum_tiles<<<static_cast<unsigned>(tiles), block_size>>>(n, x, scratch);
        lockstep::check(cudaGetLastError());
        scan(tiles, scratch, scratch, scratch + (tiles + 3) / 4 * 4);
    }
    scan_tiles<<<static_cast<unsigned>(tiles), block_size>>>(n, x, scratch, sums);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_scan(argc, argv, "reduce then scan", 80, scan);
}
