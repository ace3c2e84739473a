// Each block reverses a tile of 512 words. The last tile is not full: words that the
// array does not have count as zero. Copy each thread's four words to shared memory by
// __pipeline_memcpy_async, 16 bytes at once, and let it fill in the zeros: its fourth
// argument is the number of bytes at the end that are not read but set to zero. Then
// wait, so that every thread finds the words of all others.

#include <cstddef>
#include <vector>

#include <cuda_pipeline_primitives.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;
constexpr int tile = 4 * block_size;  // words

/// Reverses each tile.
/// @param n  number of words
/// @param x  n words in device memory; what follows them is not part of the array
/// @param y  tile words for each block in device memory, written
__global__ void reverse_tiles(int n, const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned words[tile];
    const int mine = 4 * static_cast<int>(threadIdx.x);
    const int first = static_cast<int>(blockIdx.x) * tile + mine;  // in the array
    const int there = min(max(n - first, 0), 4);  // words that the array has
    for (int i = mine; i < mine + 4; ++i) words[i] = 0xFFFFFFFF;
    __syncthreads();
    if (threadIdx.x / warpSize % 2 == 1) lockstep::busy_wait(2000);  // late warps
    // [task]
    const std::size_t missing = (4 - there) * sizeof(unsigned);
    __pipeline_memcpy_async(words + mine, x + first, 16, missing);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    //= given
    //| // Copy the words `first` to `first + 3` of x to words + mine; `there` of them
    //| // are in the array.
    //= mutant reads_past_the_end
    //| __pipeline_memcpy_async(words + mine, x + first, 16);
    //| __pipeline_commit();
    //| __pipeline_wait_prior(0);
    //| __syncthreads();
    //= mutant counts_what_is_there
    //| __pipeline_memcpy_async(words + mine, x + first, 16, there * sizeof(unsigned));
    //| __pipeline_commit();
    //| __pipeline_wait_prior(0);
    //| __syncthreads();
    //= mutant waits_for_own_only
    //| const std::size_t missing = (4 - there) * sizeof(unsigned);
    //| __pipeline_memcpy_async(words + mine, x + first, 16, missing);
    //| __pipeline_commit();
    //| __pipeline_wait_prior(0);
    // [/task]
    for (int i = threadIdx.x; i < tile; i += block_size)
        y[blockIdx.x * tile + i] = words[tile - 1 - i];
}

int main() {
    lockstep::require_device(80);

    constexpr int blocks = 5;
    constexpr int n = blocks * tile - 203;
    std::vector<unsigned> x(blocks * tile, 7777);  // nothing that a copy may use
    for (int i = 0; i < n; ++i) x[i] = i + 1;
    std::vector<unsigned> expected(blocks * tile);
    for (int i = 0; i < blocks * tile; ++i) {
        const int from = i / tile * tile + (tile - 1 - i % tile);
        expected[i] = from < n ? x[from] : 0;
    }
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_y(expected.size());
    d_y.fill_bytes(0xFF);
    reverse_tiles<<<blocks, block_size>>>(n, d_x.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> y = d_y.to_host();

    constexpr int full = (blocks - 1) * tile;
    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    verdict.equal("full tiles", std::vector<unsigned>(y.begin(), y.begin() + full),
                  std::vector<unsigned>(expected.begin(), expected.begin() + full),
                  lockstep::in_groups(tile, "tile", "word"));
    verdict.equal("the last tile", std::vector<unsigned>(y.begin() + full, y.end()),
                  std::vector<unsigned>(expected.begin() + full, expected.end()),
                  lockstep::numbered("word"));
    return verdict.finish();
}
