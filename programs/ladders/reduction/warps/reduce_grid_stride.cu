// Reduction, rung 6: must a million blocks be started and ended? A grid that fills the
// GPU once runs a grid-stride loop: each thread adds up many elements in a register,
// and each block ends with one atomic addition.

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

// [kernel]
/// Adds up an array with a grid-stride loop.
/// @param n       number of elements
/// @param x       n words in device memory
/// @param result  one word in device memory, zero at first
__global__ void reduce_grid_stride(std::size_t n, const std::uint32_t* x,
                                   std::uint32_t* result) {
    __shared__ std::uint32_t parts[block_size / 32];
    const std::size_t step = std::size_t(gridDim.x) * block_size;
    std::uint32_t mine = 0;
    for (std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x; i < n;
         i += step)
        mine += x[i];
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    mine = warp_sum(threadIdx.x < block_size / 32 ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(result, mine);
}
// [/kernel]

// [launch]
/// Enqueues the sum of n words.
void sum(std::size_t n, const std::uint32_t* x, std::uint32_t* /*scratch*/,
         std::uint32_t* result) {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaMemsetAsync(result, 0, sizeof *result));
    reduce_grid_stride<<<sms * 8, block_size>>>(n, x, result);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "grid-stride loop", sum);
}
