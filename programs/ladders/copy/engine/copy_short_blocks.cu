// Copy, rung 6: are loops needed at all? One chunk of 16 bytes per thread, small
// blocks, no loop. Blocks start in order and as soon as there is room, so at each
// moment all SMs copy chunks that lie close together in memory.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

constexpr int block_size = 128;

// [kernel]
/// Copies an array, one chunk of four words for each thread.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
__global__ void copy_short_blocks(std::size_t n, const std::uint32_t* from,
                                  std::uint32_t* to) {
    const std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x;
    if (i < n / 4)
        reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        to[n - 1 - threadIdx.x] = from[n - 1 - threadIdx.x];
}
// [/kernel]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    constexpr std::size_t tile = 4 * block_size;  // words
    copy_short_blocks<<<static_cast<unsigned>((n + tile - 1) / tile), block_size>>>(
        n, from, to);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "short blocks", 50, copy);
}
