// When may a thread reuse a tile that it stores with a bulk copy? As soon as TMA has
// read it, which wait_group_read waits for. wait_group also waits until the data is
// written. A block that waits for neither overwrites what is still to be stored.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int tile = 8192;  // words

// [kernel]
/// Stores a tile, waits, and overwrites it in shared memory.
/// @param y       tile words for each block in device memory, written
/// @param cycles  clock cycles of each block's wait in device memory, written
/// @param wait    what the storing thread calls before the tile is overwritten
template <class Wait>
__device__ void store_and_reuse(unsigned* y, int* cycles, Wait wait) {
    extern __shared__ __align__(128) unsigned words[];
    constexpr std::uint32_t bytes = tile * sizeof(unsigned);
    const std::size_t first = std::size_t(blockIdx.x) * tile;
    for (int i = threadIdx.x; i < tile; i += block_size)
        words[i] = static_cast<unsigned>(first) + i;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + first, words,
                           bytes);
        ptx::cp_async_bulk_commit_group();
        const long long begin = clock64();
        wait();
        cycles[blockIdx.x] = static_cast<int>(clock64() - begin);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] = 0;
    __syncthreads();
    // shared memory must outlive the copy
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
// [/kernel]

// [waits]
/// Waits until TMA has read the tile.
/// @param y       tile words for each block in device memory, written
/// @param cycles  clock cycles of each block's wait in device memory, written
__global__ void until_read(unsigned* y, int* cycles) {
    store_and_reuse(y, cycles,
                    [] { ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); });
}

/// Waits until TMA has written the data to global memory, too.
/// @param y       tile words for each block in device memory, written
/// @param cycles  clock cycles of each block's wait in device memory, written
__global__ void until_written(unsigned* y, int* cycles) {
    store_and_reuse(y, cycles, [] { ptx::cp_async_bulk_wait_group(ptx::n32_t<0>()); });
}

/// Overwrites the tile at once, which is wrong.
/// @param y       tile words for each block in device memory, written
/// @param cycles  clock cycles of each block's wait in device memory, written
__global__ void no_wait(unsigned* y, int* cycles) {
    store_and_reuse(y, cycles, [] {});
}
// [/waits]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 132, 1, 4096);  // SMs of an H200
    const bool without = options.flag("no-wait");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> expected(std::size_t(blocks) * tile);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = unsigned(i);
    lockstep::device_buffer<unsigned> d_y(expected.size());
    lockstep::device_buffer<int> d_cycles(blocks);
    constexpr std::size_t bytes = tile * sizeof(unsigned);
    int median = 0;
    const auto run = [&](auto kernel) {
        std::size_t wrong = 0;
        std::vector<int> samples;
        for (int i = 0; i < 22; ++i) {
            d_y.fill_bytes(0xFF);
            kernel<<<blocks, block_size, bytes>>>(d_y.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            wrong += lockstep::count_mismatches(d_y.to_host(), expected);
            for (const int cycles : d_cycles.to_host())
                if (i > 1) samples.push_back(cycles);
        }
        const auto middle = samples.begin() + samples.size() / 2;
        std::nth_element(samples.begin(), middle, samples.end());
        median = *middle;
        return wrong;
    };
    if (without) {
        const auto wrong = static_cast<long long>(run(no_wait));
        lockstep::report("words stored", 22 * expected.size());
        lockstep::report("no wait: wrong words", lockstep::counted{wrong});
        return EXIT_SUCCESS;
    }
    const std::size_t wrong_read = run(until_read);
    lockstep::report("wait_group_read", lockstep::measured{double(median)}, "cycles");
    const std::size_t wrong_written = run(until_written);
    lockstep::report("wait_group", lockstep::measured{double(median)}, "cycles");
    lockstep::report("wrong words", wrong_read + wrong_written);
    return wrong_read + wrong_written == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
