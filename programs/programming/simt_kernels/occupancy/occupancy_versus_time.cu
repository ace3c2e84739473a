// Is full occupancy the goal? The goal is enough work in flight to hide latency.
// Warps are one source of it, independent loads inside a thread are the other. A kernel
// with one load per thread needs nearly all the warps that fit; with eight it reaches
// its best with a fraction of them.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [kernel]
/// Doubles each element. Each thread has all its loads in flight before it needs the
/// first.
/// @tparam loads  elements of a thread
/// @param x  device array of loads * threads elements
/// @param y  device array of as many: what comes out
template <int loads>
__global__ void double_all(const std::uint32_t* x, std::uint32_t* y) {
    const unsigned first = blockIdx.x * (loads * block_size) + threadIdx.x;
    std::uint32_t mine[loads];
#pragma unroll
    for (int load = 0; load < loads; ++load) mine[load] = x[first + load * block_size];
#pragma unroll
    for (int load = 0; load < loads; ++load)
        y[first + load * block_size] = 2 * mine[load];
}
// [/kernel]

// [limit]
/// Shared memory that a block must ask for so that only `blocks` fit into an SM.
/// @param gpu     properties of the GPU
/// @param blocks  how many shall fit
int shared_bytes_for(const cudaDeviceProp& gpu, int blocks) {
    const int share =
        static_cast<int>(gpu.sharedMemPerMultiprocessor) / blocks / 1024 * 1024;
    const int kept = static_cast<int>(gpu.reservedSharedMemPerBlock);
    return std::min(share - kept, static_cast<int>(gpu.sharedMemPerBlockOptin));
}
// [/limit]

/// Adds the rows of one kernel to the table: GB/s with 1, 2, 3 ... blocks on an SM;
/// empty if wrong.
template <int loads>
std::vector<double> sweep(const cudaDeviceProp& gpu,
                          const lockstep::device_buffer<std::uint32_t>& d_x,
                          const std::vector<std::uint32_t>& expected,
                          lockstep::csv_file& table) {
    std::vector<double> rates;
    lockstep::check(cudaFuncSetAttribute(double_all<loads>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(gpu.sharedMemPerBlockOptin)));
    lockstep::device_buffer<std::uint32_t> d_y(d_x.size());
    d_y.fill_bytes(0xFF);
    const int grid_size = static_cast<int>(d_x.size() / (loads * block_size));
    for (int blocks = 1; blocks * block_size <= gpu.maxThreadsPerMultiProcessor;
         ++blocks) {
        const int bytes = shared_bytes_for(gpu, blocks);
        int fit = 0;
        lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &fit, double_all<loads>, block_size, bytes));
        if (fit != blocks) return {};
        const auto time = lockstep::time_back_to_back([&] {
            double_all<loads><<<grid_size, block_size, bytes>>>(d_x.data(), d_y.data());
        });
        rates.push_back(time.per_second(2.0 * d_x.bytes()) * 1e-9);
        const double occupancy =
            100.0 * blocks * block_size / gpu.maxThreadsPerMultiProcessor;
        table.row("%d,%d,%.1f,%.4f,%.0f", loads, blocks * block_size / 32, occupancy,
                  time.median_ms, rates.back());
    }
    if (d_y.to_host() != expected) return {};
    return rates;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int log2_n = options.integer("log2-n", 25, 11, 28);
    const char* csv = options.text("csv");
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    cudaDeviceProp gpu{};
    lockstep::check(cudaGetDeviceProperties(&gpu, 0));
    std::vector<std::uint32_t> x(std::size_t(1) << log2_n);
    std::vector<std::uint32_t> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<std::uint32_t>(i);
        expected[i] = 2 * x[i];
    }
    const lockstep::device_buffer<std::uint32_t> d_x(x);

    lockstep::csv_file table(
        csv, "loads,warps_per_sm,occupancy_percent,~time_ms,~bandwidth_gbps");
    const std::vector<double> one = sweep<1>(gpu, d_x, expected, table);
    const std::vector<double> two = sweep<2>(gpu, d_x, expected, table);
    const std::vector<double> four = sweep<4>(gpu, d_x, expected, table);
    const std::vector<double> eight = sweep<8>(gpu, d_x, expected, table);
    table.finish();
    if (one.empty() || two.empty() || four.empty() || eight.empty())
        return EXIT_FAILURE;

    std::printf(
        "warps   1 load a thread    2 loads            4 loads            8 loads\n");
    for (std::size_t i = 0; i < one.size(); ++i)
        std::printf(
            "%5d   ~%-6.0f GB/s       ~%-6.0f GB/s       ~%-6.0f GB/s       ~%.0f "
            "GB/s\n",
            static_cast<int>(i + 1) * block_size / 32, one[i], two[i], four[i],
            eight[i]);
    const bool as_expected =
        eight.front() > 1.5 * one.front() && one.back() > 1.5 * one.front();
    return untimed || as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
