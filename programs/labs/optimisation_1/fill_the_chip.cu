// This kernel may be launched with any grid, since it walks through the array with a
// grid-stride loop. The starter launches one block of one warp. Choose the grid: ask
// the device how many SMs it has, and the runtime how many blocks of this kernel fit on
// one SM. The kernel must reach half of the rate of a copy.

#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// x = x + 1
/// @param n  number of elements
/// @param x  n ints in device memory, changed in place
__global__ void increment(std::size_t n, int* x) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        x[i] += 1;
}

/// How a kernel is launched.
struct launch {
    int block_size;  ///< threads of a block
    int blocks;  ///< blocks of the grid
};

/// Chooses the grid for `increment`.
launch choose() {
    // [task]
    constexpr int block_size = 256;
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    int blocks_each = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, increment, block_size, 0));
    const int blocks = sms * blocks_each;
    return {block_size, blocks};
    //= given
    //| constexpr int block_size = 32;
    //| const int blocks = 1;
    //| return {block_size, blocks};
    //= mutant one_block_each
    //| constexpr int block_size = 32;
    //| int blocks = 0;
    //| lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount,
    //|                                        0));
    //| return {block_size, blocks};
    //= mutant one_large_block
    //| return {1024, 1};
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", 1 << 26, 1, 1 << 28);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();
    const launch chosen = choose();

    std::vector<int> before(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        before[i] = static_cast<int>(i % 1009);
        expected[i] = before[i] + 1;
    }
    lockstep::device_buffer<int> x(before);
    lockstep::device_buffer<int> y(n);
    increment<<<chosen.blocks, chosen.block_size>>>(n, x.data());
    lockstep::check(cudaGetLastError());
    lockstep::exercise_verdict verdict;
    verdict.equal("elements", x.to_host(), expected);
    if (!untimed) {
        const double mine =
            lockstep::time_on_device(
                [&] { increment<<<chosen.blocks, chosen.block_size>>>(n, x.data()); },
                5)
                .median_ms;
        const double copy = lockstep::time_on_device([&] {
                                lockstep::check(cudaMemcpyAsync(
                                    y.data(), x.data(), n * 4, cudaMemcpyDefault));
                            }).median_ms;
        verdict.at_least("increment rate / copy rate", copy / mine, 0.5,
                         "how many threads do all SMs together hold?");
    }
    return verdict.finish();
}
