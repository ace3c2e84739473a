// Why does a loop that reuses shared memory need two barriers? With the first, all
// writes of a round come before its reads. With the second, all reads come before the
// writes of the next round. Without the second, a fast warp overwrites what a slow one
// still has to read. With two arrays in turn, one barrier in each round is enough.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [kernel]
/// In each round, every thread shows a number to the block and adds what its opposite
/// shows.
/// @param rounds  number of rounds
/// @param second  whether the second barrier is there
/// @param delay   clock ticks by which half of the warps read late
/// @param sums    one int for each thread in device memory
__global__ void exchange(int rounds, bool second, long long delay, int* sums) {
    __shared__ int shown[block_size];
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        shown[threadIdx.x] = round + threadIdx.x;
        __syncthreads();  // written before read
        if (threadIdx.x >= block_size / 2) {
            const long long start = clock64();
            while (clock64() - start < delay) {
            }
        }
        sum += shown[block_size - 1 - threadIdx.x];
        if (second) __syncthreads();  // read before overwritten
    }
    sums[blockIdx.x * block_size + threadIdx.x] = sum;
}
// [/kernel]

// [two-buffers]
/// The same with two arrays in turn, and one barrier in each round.
/// @param rounds  number of rounds
/// @param delay   clock ticks by which half of the warps read late
/// @param sums    one int for each thread in device memory
__global__ void exchange_two_buffers(int rounds, long long delay, int* sums) {
    __shared__ int shown[2][block_size];
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        int* now = shown[round % 2];
        now[threadIdx.x] = round + threadIdx.x;
        __syncthreads();  // written before read, and the round before was read
        if (threadIdx.x >= block_size / 2) {
            const long long start = clock64();
            while (clock64() - start < delay) {
            }
        }
        sum += now[block_size - 1 - threadIdx.x];
    }
    sums[blockIdx.x * block_size + threadIdx.x] = sum;
}
// [/two-buffers]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool two = options.choice("barriers", {"two", "one"}) == 0;
    const bool two_buffers = options.choice("buffers", {"one", "two"}) == 1;
    const int rounds = options.integer("rounds", 8, 1, 100);
    options.finish();
    lockstep::require_device();

    constexpr int blocks = 4;
    std::vector<int> expected(blocks * block_size);
    for (int i = 0; i < blocks * block_size; ++i) {
        const int opposite = block_size - 1 - i % block_size;
        expected[i] = rounds * (rounds - 1) / 2 + rounds * opposite;
    }
    lockstep::device_buffer<int> d_sums(blocks * block_size);
    d_sums.fill_bytes(0xFF);
    constexpr long long delay = 10'000;
    if (two_buffers)
        exchange_two_buffers<<<blocks, block_size>>>(rounds, delay, d_sums.data());
    else
        exchange<<<blocks, block_size>>>(rounds, two, delay, d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_sums.to_host(), expected);
    lockstep::report("sums", blocks * block_size);
    lockstep::report("some sums are wrong", wrong > 0);
    const bool safe = two || two_buffers || rounds == 1;
    return (wrong == 0) == safe ? EXIT_SUCCESS : EXIT_FAILURE;
}
