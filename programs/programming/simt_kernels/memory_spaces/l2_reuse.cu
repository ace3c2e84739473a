// What does the L2 cache give? A kernel that sweeps over the same array again and again
// reads it from L2, if it fits. The larger the array, the more of it comes from device
// memory, and the rate falls.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int loads = 8;

// [kernel]
/// Adds up an array several times over, eight loads of 16 bytes in flight for each
/// thread.
/// @param sweeps  how often
/// @param n       number of elements, a multiple of loads * block_size
/// @param data    n elements in device memory
/// @param result  one int in device memory, increased by the sums
__global__ void sweep(int sweeps, int n, const int4* __restrict__ data, int* result) {
    int sum = 0;
    for (int round = 0; round < sweeps; ++round) {
        for (int i = blockIdx.x * block_size * loads + threadIdx.x; i < n;
             i += gridDim.x * block_size * loads) {
            int4 words[loads];
            // not from L1
#pragma unroll
            for (int load = 0; load < loads; ++load)
                words[load] = __ldcg(data + i + load * block_size);
#pragma unroll
            for (int load = 0; load < loads; ++load)
                sum += words[load].x + words[load].y + words[load].z + words[load].w;
        }
    }
    atomicAdd(result, sum);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int largest_mib = options.integer("largest-mib", 1024, 1, 2048);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    lockstep::report("L2 cache", static_cast<double>(device.l2CacheSize) / (1 << 20),
                     "MiB");
    lockstep::report("SMs", device.multiProcessorCount);

    const std::size_t largest = std::size_t(largest_mib) << 20;
    const lockstep::device_buffer<int4> d_data(
        std::vector<int4>(largest / sizeof(int4), int4{1, 1, 1, 1}));
    lockstep::device_buffer<int> d_result(1);
    lockstep::csv_file series(csv, "mib,~gb_per_s");
    bool right = true;
    double rate_16 = 0;
    double rate_largest = 0;
    for (int mib = 1; mib <= largest_mib; mib *= 2) {
        // [measure]
        const int n = static_cast<int>((std::size_t(mib) << 20) / sizeof(int4));
        const int blocks =
            std::min(n / (block_size * loads), 4 * device.multiProcessorCount);
        // as many bytes for each size
        const int sweeps = std::max(1, largest_mib / mib);
        d_result.fill_bytes(0);
        unsigned launches = 0;
        const lockstep::timing time = lockstep::time_on_device([&] {
            sweep<<<blocks, block_size>>>(sweeps, n, d_data.data(), d_result.data());
            ++launches;
        });
        const double rate =
            time.per_second(static_cast<double>(sweeps) * n * sizeof(int4)) * 1e-9;
        // [/measure]
        // the sum wraps
        right = right &&
                d_result.to_host()[0] == static_cast<int>(launches * 4u * n * sweeps);
        series.row("%d,%.4g", mib, rate);
        if (mib == 16) rate_16 = rate;
        rate_largest = rate;
    }
    series.finish();
    lockstep::report("read rate, 16 MiB array", lockstep::measured{rate_16}, "GB/s");
    lockstep::report("read rate, largest array", lockstep::measured{rate_largest},
                     "GB/s");
    const bool faster = largest_mib < 256 || rate_16 > 1.2 * rate_largest;
    return right && faster ? EXIT_SUCCESS : EXIT_FAILURE;
}
