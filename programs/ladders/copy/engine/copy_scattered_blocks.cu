// Copy, a test of an explanation: does the order of the blocks make short blocks fast?
// These blocks do the same work as in rung 6, but blocks that run at the same time copy
// chunks from all over the array.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

constexpr int block_size = 128;
#ifndef JUMP
#define JUMP 1000003  // a prime; -DJUMP=1 leaves the blocks in order
#endif

// [kernel]
/// Copies an array, one chunk of four words for each thread, blocks in scattered order.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
/// @param jump  how far apart the places of blocks are that follow one another; no
///              common factor with their number
__global__ void copy_scattered_blocks(std::size_t n, const std::uint32_t* from,
                                      std::uint32_t* to, unsigned jump) {
    const unsigned place = static_cast<unsigned>(
        static_cast<std::uint64_t>(blockIdx.x) * jump % gridDim.x);
    const std::size_t i = place * std::size_t(block_size) + threadIdx.x;
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
    constexpr unsigned jump = JUMP;
    const auto blocks = static_cast<unsigned>((n + tile - 1) / tile);
    copy_scattered_blocks<<<blocks, block_size>>>(n, from, to,
                                                  blocks % jump ? jump : 1);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    const char* label = JUMP == 1 ? "blocks in order" : "scattered blocks";
    return lockstep::benchmark_copy(argc, argv, label, 50, copy);
}
