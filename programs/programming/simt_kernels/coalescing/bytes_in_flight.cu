// What does it take to saturate device memory? Enough bytes in flight at any moment.
// Each thread of one block of 256 threads on each SM issues 1 to 16 loads at a time, of
// 4, 8 or 16 bytes. At first the bandwidth depends on the product alone; beyond that,
// wide loads gain more than narrow ones.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int most_bytes_per_thread = 256;  // 16 loads of 16 bytes

/// Sum of a word's parts.
__device__ std::uint32_t total(std::uint32_t word) { return word; }
__device__ std::uint32_t total(uint2 word) { return word.x + word.y; }
__device__ std::uint32_t total(uint4 word) { return word.x + word.y + word.z + word.w; }

/// Writes 0, 1, 2 ... into an array.
/// @param n  number of words
/// @param x  device array of `n` words
__global__ void count_up(std::size_t n, std::uint32_t* x) {
    const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += threads)
        x[i] = static_cast<std::uint32_t>(i);
}

// [kernel]
/// Adds all words of an array, `loads` words of a thread at a time.
/// @tparam loads  number of loads that a thread has in flight together
/// @tparam Word   what one load fetches
/// @param n     number of words, a multiple of loads * threads
/// @param x     device array of `n` words
/// @param sums  device array, one sum per thread
template <int loads, class Word>
__global__ void read_all(std::size_t n, const Word* x, std::uint32_t* sums) {
    const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
    const std::size_t thread = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::uint32_t sum = 0;
#pragma unroll 1
    for (std::size_t i = thread; i < n; i += loads * threads) {
        Word words[loads];
        // nothing waits here ...
#pragma unroll
        for (int load = 0; load < loads; ++load) words[load] = x[i + load * threads];
        // ... but here
#pragma unroll
        for (int load = 0; load < loads; ++load) sum += total(words[load]);
    }
    sums[thread] = sum;
}
// [/kernel]

/// One block per SM reads the array; returns GB/s, or -1 if the sum is wrong.
/// @param blocks  number of SMs
/// @param d_x     the array, holding 0, 1, 2 ...
template <int loads, class Word>
double bandwidth(int blocks, const lockstep::device_buffer<std::uint32_t>& d_x) {
    const std::size_t n = d_x.bytes() / sizeof(Word);
    const auto x = reinterpret_cast<const Word*>(d_x.data());
    lockstep::device_buffer<std::uint32_t> d_sums(std::size_t(blocks) * block_size);
    d_sums.fill_bytes(0xFF);
    const auto time = lockstep::time_back_to_back(
        [&] { read_all<loads><<<blocks, block_size>>>(n, x, d_sums.data()); });
    const std::vector<std::uint32_t> sums = d_sums.to_host();
    const std::uint64_t words = d_x.size();
    const auto expected = static_cast<std::uint32_t>(words * (words - 1) / 2);
    if (std::accumulate(sums.begin(), sums.end(), 0u) != expected) return -1;
    return time.per_second(d_x.bytes()) * 1e-9;
}

// [row]
/// Measures one number of loads with three sizes of load, and prints the row; returns
/// the three rates in GB/s.
template <int loads>
std::vector<double> measure(int blocks,
                            const lockstep::device_buffer<std::uint32_t>& d_x,
                            lockstep::csv_file& table) {
    const std::vector<double> gbps = {bandwidth<loads, std::uint32_t>(blocks, d_x),
                                      bandwidth<loads, uint2>(blocks, d_x),
                                      bandwidth<loads, uint4>(blocks, d_x)};
    for (int i = 0; i < 3; ++i)
        table.row("%d,%d,%d,%.0f", 4 << i, loads, block_size * loads * (4 << i) / 1024,
                  gbps[i]);
    std::printf("%5d   ~%-6.0f GB/s     ~%-6.0f GB/s     ~%.0f GB/s\n", loads, gbps[0],
                gbps[1], gbps[2]);
    return gbps;
}
// [/row]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 32, 1, 128);
    const char* csv = options.text("csv");
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    int blocks = 0;
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    const std::size_t bytes =
        std::size_t(blocks) * block_size * most_bytes_per_thread * rounds;
    lockstep::device_buffer<std::uint32_t> d_x(bytes / 4);
    count_up<<<2048, block_size>>>(d_x.size(), d_x.data());
    lockstep::check(cudaGetLastError());

    lockstep::csv_file table(csv,
                             "load_bytes,loads,kib_in_flight_per_sm,~bandwidth_gbps");
    std::printf("loads   4 bytes each     8 bytes each     16 bytes each\n");
    std::vector<double> rates;
    for (const std::vector<double>& row :
         {measure<1>(blocks, d_x, table), measure<2>(blocks, d_x, table),
          measure<4>(blocks, d_x, table), measure<8>(blocks, d_x, table),
          measure<16>(blocks, d_x, table)})
        rates.insert(rates.end(), row.begin(), row.end());
    table.finish();
    const double least = *std::min_element(rates.begin(), rates.end());
    const double most = *std::max_element(rates.begin(), rates.end());
    lockstep::report("highest / lowest rate", lockstep::measured{most / least});
    return least > 0 && (untimed || most > 4 * least) ? EXIT_SUCCESS : EXIT_FAILURE;
}
