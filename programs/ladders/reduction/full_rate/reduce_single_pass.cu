// Reduction, rung 8: can one launch do it all, in the same order every time? Each block
// stores its sum and increments a counter. The block that increments it last adds up
// all sums: no memset is needed first, and the order of additions is fixed, as a
// reproducible floating-point sum requires.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/reduction.hpp>

constexpr int block_size = 512;
constexpr int loads = 8;

// [warp]
/// The sum over all lanes of a warp, in lane 0.
__device__ std::uint32_t warp_sum(std::uint32_t word) {
#pragma unroll
    for (int delta = 16; delta > 0; delta /= 2)
        word += __shfl_down_sync(0xFFFFFFFF, word, delta);
    return word;
}

/// The sum over all threads of a block, in thread 0.
__device__ std::uint32_t block_sum(std::uint32_t word) {
    __shared__ std::uint32_t parts[block_size / 32];
    word = warp_sum(word);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = word;
    __syncthreads();
    return threadIdx.x < 32
               ? warp_sum(threadIdx.x < block_size / 32 ? parts[threadIdx.x] : 0)
               : 0;
}
// [/warp]

// wraps to 0 with the last block, ready for the next launch
__device__ unsigned blocks_done = 0;

// [kernel]
/// Adds up an array in one pass.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param sums    one word for each block in device memory
/// @param result  one word in device memory
__global__ void reduce_single_pass(std::size_t n, const std::uint32_t* x,
                                   std::uint32_t* sums, std::uint32_t* result) {
    const auto* x4 = reinterpret_cast<const uint4*>(x);
    constexpr std::size_t tile = block_size * loads;
    const std::size_t whole = n / 4 / tile * tile;
    std::uint32_t mine = 0;
    for (std::size_t first = blockIdx.x * tile + threadIdx.x; first < whole;
         first += gridDim.x * tile) {
        uint4 words[loads];
#pragma unroll
        for (int load = 0; load < loads; ++load)
            words[load] = x4[first + load * block_size];
#pragma unroll
        for (int load = 0; load < loads; ++load)
            mine += words[load].x + words[load].y + words[load].z + words[load].w;
    }
    const std::size_t step = std::size_t(gridDim.x) * block_size;
    // the rest
    for (std::size_t i = 4 * whole + blockIdx.x * block_size + threadIdx.x; i < n;
         i += step)
        mine += x[i];
    mine = block_sum(mine);

    // [/kernel]
    // [last-block]
    __shared__ bool last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = mine;
        __threadfence();  // the sum is visible before the number is taken
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    mine = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += block_size)
        mine += __ldcg(sums + block);
    mine = block_sum(mine);
    if (threadIdx.x == 0) *result = mine;
}
// [/last-block]

// [launch]
/// Enqueues the sum of n words.
void sum(std::size_t n, const std::uint32_t* x, std::uint32_t* scratch,
         std::uint32_t* result) {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const std::size_t room = n / 128 + 1;  // words in scratch
    const std::size_t blocks =
        room < std::size_t(sms) * 4 ? room : std::size_t(sms) * 4;
    reduce_single_pass<<<static_cast<unsigned>(blocks), block_size>>>(n, x, scratch,
                                                                      result);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "single pass", sum);
}
