// Reduction, rung 4: can a tree avoid divergence and bank conflicts? The first half of
// the threads adds the second half of the words. The threads that work fill whole
// warps, and their words are adjacent.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/reduction.hpp>

constexpr int block_size = 256;

/// Adds up each block's slice, in a tree in shared memory.
/// @param n     number of elements
/// @param x     n words in device memory
/// @param sums  one word for each block in device memory
__global__ void reduce_tree_halves(std::size_t n, const std::uint32_t* x,
                                   std::uint32_t* sums) {
    __shared__ std::uint32_t parts[block_size];
    const std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x;
    parts[threadIdx.x] = i < n ? x[i] : 0;
    // [levels]
    for (int width = block_size / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    }
    // [/levels]
    if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

// [launch]
/// Enqueues the sum of n words: slices first, then slices of their sums, until one is
/// left.
void sum(std::size_t n, const std::uint32_t* x, std::uint32_t* scratch,
         std::uint32_t* result) {
    const std::uint32_t* from = x;
    std::uint32_t* to = scratch;
    while (n > 1 || from == x) {
        const std::size_t blocks = (n + block_size - 1) / block_size;
        std::uint32_t* sums = blocks == 1 ? result : to;
        reduce_tree_halves<<<static_cast<unsigned>(blocks), block_size>>>(n, from,
                                                                          sums);
        lockstep::check(cudaGetLastError());
        from = sums;
        to += blocks;
        n = blocks;
    }
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "tree halves", sum);
}
