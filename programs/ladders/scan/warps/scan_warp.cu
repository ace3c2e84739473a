// Scan, rung 3: what if only lanes of a warp exchange words? Shuffles need no shared
// memory and no barrier. Each thread scans four words alone, the warp scans the totals
// of its threads, and the block scans those of its warps.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

constexpr int block_size = 512;
constexpr int per_block = 4 * block_size;

// [warp]
/// Inclusive sum over the lanes of a warp.
__device__ std::uint32_t warp_scan(std::uint32_t word) {
#pragma unroll
    for (int width = 1; width < 32; width *= 2) {
        const std::uint32_t left = __shfl_up_sync(0xFFFFFFFF, word, width);
        if (threadIdx.x % 32 >= width) word += left;
    }
    return word;
}
// [/warp]

// [kernel]
/// Inclusive sums of each block's slice, four words for each thread.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param sums    n words in device memory, aligned to 16 bytes; may be x
/// @param totals  one word for each block in device memory: the sum of its slice
__global__ void scan_blocks(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
                            std::uint32_t* totals) {
    __shared__ std::uint32_t of_warps[block_size / 32];
    const std::size_t first = blockIdx.x * std::size_t(per_block) + 4 * threadIdx.x;
    uint4 w = {};
    if (first + 3 < n) {
        w = *reinterpret_cast<const uint4*>(x + first);
    } else {
        if (first < n) w.x = x[first];
        if (first + 1 < n) w.y = x[first + 1];
        if (first + 2 < n) w.z = x[first + 2];
    }
    w.y += w.x;
    w.z += w.y;
    w.w += w.z;
    const std::uint32_t inclusive = warp_scan(w.w);
    // [/kernel]
    // [exchange]
    if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = inclusive;
    __syncthreads();
    if (threadIdx.x < 32) {
        const std::uint32_t mine =
            threadIdx.x < block_size / 32 ? of_warps[threadIdx.x] : 0;
        const std::uint32_t upto = warp_scan(mine);
        if (threadIdx.x < block_size / 32) of_warps[threadIdx.x] = upto - mine;
        if (threadIdx.x == 31) totals[blockIdx.x] = upto;
    }
    __syncthreads();
    const std::uint32_t before = of_warps[threadIdx.x / 32] + inclusive - w.w;
    w = {w.x + before, w.y + before, w.z + before, w.w + before};
    if (first + 3 < n) {
        *reinterpret_cast<uint4*>(sums + first) = w;
    } else {
        if (first < n) sums[first] = w.x;
        if (first + 1 < n) sums[first + 1] = w.y;
        if (first + 2 < n) sums[first + 2] = w.z;
    }
}
// [/exchange]

// [add]
/// Adds to the words of each block but the first the total of all blocks before.
/// @param n       number of elements
/// @param totals  sums up to the end of each block, in device memory
/// @param sums    n words in device memory, changed in place
__global__ void add_totals(std::size_t n, const std::uint32_t* totals,
                           std::uint32_t* sums) {
    const std::uint32_t before = totals[blockIdx.x];
    const std::size_t first = (blockIdx.x + std::size_t(1)) * per_block;
    for (int i = threadIdx.x; i < per_block; i += block_size)
        if (first + i < n) sums[first + i] += before;
}
// [/add]

// [launch]
/// Enqueues the inclusive sums of n words: of each block alone, of the totals of the
/// blocks, and then both together.
void scan(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
          std::uint32_t* scratch) {
    const std::size_t blocks = (n + per_block - 1) / per_block;
    scan_blocks<<<static_cast<unsigned>(blocks), block_size>>>(n, x, sums, scratch);
    lockstep::check(cudaGetLastError());
    if (blocks == 1) return;
    scan(blocks, scratch, scratch, scratch + (blocks + 3) / 4 * 4);  // aligned again
    add_totals<<<static_cast<unsigned>(blocks - 1), block_size>>>(n, scratch, sums);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_scan(argc, argv, "warp shuffles", 50, scan);
}
