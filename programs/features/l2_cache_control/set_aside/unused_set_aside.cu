// Does a set-aside cost anything while no access is persisting? A kernel reads an array
// again and again, without a policy window, first with nothing set aside, then with as
// much as the device allows. By the guide, other accesses may use an unused set-aside.

#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int loads = 4;  // words of a thread in flight

// [kernel]
/// Adds up an array several times.
/// @param sweeps  how often
/// @param tiles   number of tiles of loads * block_size words
/// @param data    the array in device memory
/// @param result  one unsigned in device memory, increased by the sums
__global__ void sweep(int sweeps, int tiles, const uint4* __restrict__ data,
                      unsigned* result) {
    unsigned sum = 0;
    for (int round = 0; round < sweeps; ++round) {
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const uint4* words =
                data + std::size_t(tile) * loads * block_size + threadIdx.x;
#pragma unroll
            for (int load = 0; load < loads; ++load) {
                const uint4 word = __ldcg(words + load * block_size);  // not from L1
                sum += word.x + word.y + word.z + word.w;
            }
        }
    }
    atomicAdd(result, sum);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int largest_mib = options.integer("largest-mib", 96, 8, 1024);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    lockstep::device_buffer<uint4> d_data((std::size_t(largest_mib) << 20) /
                                          sizeof(uint4));
    d_data.fill_bytes(1);
    lockstep::device_buffer<unsigned> d_result(1);
    lockstep::csv_file series(csv, "set_aside,mib,~gb_per_s");
    bool right = true;
    for (const bool most : {false, true}) {
        const std::size_t set_aside = most ? device.persistingL2CacheMaxSize : 0;
        if (device.persistingL2CacheMaxSize > 0)  // it is 0 under MIG
            lockstep::check(
                cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, set_aside));
        for (int mib = 8; mib <= largest_mib; mib += 8) {
            const std::size_t bytes = std::size_t(mib) << 20;
            const int tiles =
                static_cast<int>(bytes / (loads * block_size * sizeof(uint4)));
            const int sweeps = largest_mib / mib + 3;
            d_result.fill_bytes(0);
            unsigned launches = 0;
            const lockstep::timing time = lockstep::time_on_device([&] {
                sweep<<<device.multiProcessorCount * 4, block_size>>>(
                    sweeps, tiles, d_data.data(), d_result.data());
                lockstep::check(cudaGetLastError());
                ++launches;
            });
            const double rate =
                time.per_second(static_cast<double>(sweeps) * bytes) * 1e-9;
            const unsigned words = static_cast<unsigned>(bytes / sizeof(unsigned));
            right = right &&
                    d_result.to_host()[0] == launches * sweeps * words * 0x01010101;
            series.row("\"%s\",%d,%.4g", most ? "largest" : "none", mib, rate);
            if (mib == 8 || mib == 32 || mib == 64)
                lockstep::report((std::to_string(mib) + " MiB, set-aside " +
                                  (most ? "largest" : "none"))
                                     .c_str(),
                                 lockstep::measured{rate}, "GB/s");
        }
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
