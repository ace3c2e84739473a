// Scan, rung 1: how can prefix sums run in parallel, although each needs the one before
// it? In rounds: after round k each word holds the sum of the last 2^k words. That is
// log2(n) rounds of n additions. (Hillis and Steele, 1986.)

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

constexpr int block_size = 512;
constexpr int per_block = block_size;

// [kernel]
/// Inclusive sums of each block's slice.
/// @param n       number of elements
/// @param x       n words in device memory
/// @param sums    n words in device memory; may be x
/// @param totals  one word for each block in device memory: the sum of its slice
__global__ void scan_blocks(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
                            std::uint32_t* totals) {
    __shared__ std::uint32_t words[2][block_size];
    const std::size_t i = blockIdx.x * std::size_t(per_block) + threadIdx.x;
    int side = 0;
    words[side][threadIdx.x] = i < n ? x[i] : 0;
    for (int width = 1; width < block_size; width *= 2) {
        __syncthreads();
        const std::uint32_t left =
            threadIdx.x >= width ? words[side][threadIdx.x - width] : 0;
        // into the other side: no second barrier
        words[1 - side][threadIdx.x] = words[side][threadIdx.x] + left;
        side = 1 - side;
    }
    if (i < n) sums[i] = words[side][threadIdx.x];
    if (threadIdx.x == block_size - 1) totals[blockIdx.x] = words[side][threadIdx.x];
}
// [/kernel]

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
    scan(blocks, scratch, scratch, scratch + blocks);
    add_totals<<<static_cast<unsigned>(blocks - 1), block_size>>>(n, scratch, sums);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_scan(argc, argv, "Hillis-Steele", 50, scan);
}
