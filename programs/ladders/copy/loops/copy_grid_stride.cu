// Copy, rung 2: do fewer threads that live longer help? The grid fills the GPU once
// (one wave), and each thread runs a grid-stride loop.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

/// Copies an array with a grid-stride loop, one word at a time.
/// @param n     number of words
/// @param from  n words in device memory
/// @param to    n words in device memory
// [kernel]
__global__ void copy_grid_stride(std::size_t n, const std::uint32_t* from,
                                 std::uint32_t* to) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        to[i] = from[i];
}
// [/kernel]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    constexpr int block_size = 256;
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    // 2048 threads on each SM
    copy_grid_stride<<<sms * 8, block_size>>>(n, from, to);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "grid-stride loop", 50, copy);
}
