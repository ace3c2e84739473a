// A block adds up tiles that it copies two tiles ahead, with a ring of three buffers.
// The sums of the last tiles are wrong, though all others are right. Find out which
// batches the wait covers in the last two rounds, and correct the loop.

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_pipeline.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int stages = 3;
constexpr int block_size = 64;
constexpr int tiles = 20;
constexpr int blocks = 16;
constexpr int tile = 4 * block_size;  // words of a tile

/// Adds up words of each tile, those of a neighbor.
/// @param in    tiles * tile words for each block in device memory, 16-byte aligned
/// @param sums  one word for each thread and tile in device memory, written
__global__ void add_up(const unsigned* in, unsigned* sums) {
    __shared__ alignas(16) unsigned words[stages][tile];
    in += blockIdx.x * tiles * tile;
    sums += blockIdx.x * tiles * block_size;
    const int i = threadIdx.x;
    const auto copy = [&](int t) {  // 16 bytes for each thread
        __pipeline_memcpy_async(&words[t % stages][4 * i], &in[t * tile + 4 * i], 16);
    };
    for (int t = 0; t < stages - 1; ++t) {
        copy(t);
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; ++t) {
        // [task]
        if (t + stages - 1 < tiles) copy(t + stages - 1);
        __pipeline_commit();
        __pipeline_wait_prior(stages - 1);
        __syncthreads();
        //= given
        //| if (t + stages - 1 < tiles) {
        //|     copy(t + stages - 1);
        //|     __pipeline_commit();
        //| }
        //| __pipeline_wait_prior(stages - 1);
        //| __syncthreads();
        //= mutant one_tile_too_few
        //| if (t + stages - 1 < tiles) copy(t + stages - 1);
        //| __pipeline_commit();
        //| __pipeline_wait_prior(stages);
        //| __syncthreads();
        //= mutant no_wait
        //| if (t + stages - 1 < tiles) copy(t + stages - 1);
        //| __pipeline_commit();
        //| __syncthreads();
        // [/task]
        unsigned sum = 0;
        for (int k = 0; k < 4; ++k)
            sum += words[t % stages][k * block_size + (i + 32) % block_size];
        sums[t * block_size + i] = sum;
        __syncthreads();  // the next round overwrites the buffer
    }
    __pipeline_wait_prior(0);  // no copy outlives the kernel's shared memory
}

int main() {
    lockstep::require_device(80);

    std::vector<unsigned> in(blocks * tiles * tile);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = unsigned(i) * 2654435761u;
    std::vector<unsigned> expected(blocks * tiles * block_size);
    for (int t = 0; t < blocks * tiles; ++t)
        for (int i = 0; i < block_size; ++i)
            for (int k = 0; k < 4; ++k)
                expected[t * block_size + i] +=
                    in[t * tile + k * block_size + (i + 32) % block_size];

    // the words come from the host's memory, so that each copy takes long
    unsigned* far_in = nullptr;
    lockstep::check(
        cudaHostAlloc(&far_in, in.size() * sizeof(unsigned), cudaHostAllocMapped));
    for (std::size_t i = 0; i < in.size(); ++i) far_in[i] = in[i];
    lockstep::device_buffer<unsigned> d_sums(expected.size());
    d_sums.fill_bytes(0xFF);
    add_up<<<blocks, block_size>>>(far_in, d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> sums = d_sums.to_host();
    lockstep::check(cudaFreeHost(far_in));

    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    constexpr int last_two = 2 * block_size;
    std::vector<unsigned> found[2], wanted[2];
    for (int i = 0; i < blocks * tiles * block_size; ++i) {
        const bool last = i % (tiles * block_size) >= tiles * block_size - last_two;
        found[last].push_back(sums[i]);
        wanted[last].push_back(expected[i]);
    }
    const auto place = [](int first, int count) {  // of tiles
        return [=](std::size_t i) {
            const std::size_t all = i / block_size;  // tiles before this one
            return "block " + std::to_string(all / count) + ", tile " +
                   std::to_string(first + all % count) + ", thread " +
                   std::to_string(i % block_size);
        };
    };
    verdict.equal("sums of all other tiles", found[0], wanted[0], place(0, tiles - 2));
    verdict.equal("sums of the last two tiles", found[1], wanted[1],
                  place(tiles - 2, 2));
    return verdict.finish();
}
