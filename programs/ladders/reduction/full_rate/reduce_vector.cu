// Reduction, rung 7: how many bytes must be in flight? Each thread issues eight loads
// of 16 bytes before it adds the first. That is enough to reach the rate of a kernel
// that only reads.

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
// [/warp]

// [kernel]
/// Adds up an array, eight loads of 16 bytes in flight for each thread.
/// @param n       number of elements
/// @param x       n words in device memory, aligned to 16 bytes
/// @param result  one word in device memory, zero at first
__global__ void reduce_vector(std::size_t n, const std::uint32_t* x,
                              std::uint32_t* result) {
    __shared__ std::uint32_t parts[block_size / 32];
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
    reduce_vector<<<sms * 4, block_size>>>(n, x, result);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "8 loads of 16 bytes", sum);
}
