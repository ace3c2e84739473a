// Reduction, rung 5: do lanes need shared memory to exchange words? No: a shuffle reads
// a register of another lane. Only the sums of the warps go through shared memory, and
// of eight barriers one is left.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/reduction.hpp>

constexpr int block_size = 256;

// [warp]
/// The sum over all lanes of a warp, in lane 0.
__device__ std::uint32_t warp_sum(std::uint32_t word) {
#pragma unroll
    for (int delta = 16; delta > 0; delta /= 2)
        word += __shfl_down_sync(0xFFFFFFFF, word, delta);
    return word;
}
// [/warp]

/// Adds up each block's slice by shuffles.
/// @param n     number of elements
/// @param x     n words in device memory
/// @param sums  one word for each block in device memory
// [kernel]
__global__ void reduce_shuffle(std::size_t n, const std::uint32_t* x,
                               std::uint32_t* sums) {
    __shared__ std::uint32_t parts[block_size / 32];
    const std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x;
    std::uint32_t mine = warp_sum(i < n ? x[i] : 0);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    mine = warp_sum(threadIdx.x < block_size / 32 ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}
// [/kernel]

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
        reduce_shuffle<<<static_cast<unsigned>(blocks), block_size>>>(n, from, sums);
        lockstep::check(cudaGetLastError());
        from = sums;
        to += blocks;
        n = blocks;
    }
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "warp shuffles", sum);
}
