// Scan, rung 2: do fewer additions make it faster? A tree of sums upward and one
// downward need about 2n additions instead of n log n. (Blelloch, 1990.) But most
// threads are idle at every level, and words of adjacent threads lie in the same banks.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

constexpr int block_size = 256;
constexpr int per_block = 2 * block_size;

/// Inclusive sums of each block's slice, two words for each thread.
/// @param n       number of elements
/// @param x       n words in device memory
/// @param sums    n words in device memory; may be x
/// @param totals  one word for each block in device memory: the sum of its slice
// [kernel]
__global__ void scan_blocks(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
                            std::uint32_t* totals) {
    __shared__ std::uint32_t words[per_block];
    const std::size_t first = blockIdx.x * std::size_t(per_block);
    std::uint32_t own[2];
    for (int k = 0; k < 2; ++k) {
        const int i = threadIdx.x + k * block_size;
        own[k] = first + i < n ? x[first + i] : 0;
        words[i] = own[k];
    }
    // [/kernel]
    // [up-sweep]
    int step = 1;
    // up: sums of ever longer runs of words
    for (int active = block_size; active > 0; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active)
            words[step * (2 * threadIdx.x + 2) - 1] +=
                words[step * (2 * threadIdx.x + 1) - 1];
        step *= 2;
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = words[per_block - 1];
        words[per_block - 1] = 0;
    }
    // [/up-sweep]
    // [down-sweep]
    // down: what lies before each run
    for (int active = 1; active <= block_size; active *= 2) {
        step /= 2;
        __syncthreads();
        if (threadIdx.x < active) {
            const int left = step * (2 * threadIdx.x + 1) - 1;
            const int right = step * (2 * threadIdx.x + 2) - 1;
            const std::uint32_t before = words[right];
            words[right] = before + words[left];
            words[left] = before;
        }
    }
    __syncthreads();
    for (int k = 0; k < 2; ++k) {
        const int i = threadIdx.x + k * block_size;
        // exclusive to inclusive
        if (first + i < n) sums[first + i] = words[i] + own[k];
    }
}
// [/down-sweep]

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
    return lockstep::benchmark_scan(argc, argv, "Blelloch", 50, scan);
}
