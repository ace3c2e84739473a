// What does it cost when the threads of a warp take different paths? The warp walks
// every path that any of its lanes takes, one after the other. Paths add up inside a
// warp. When whole warps take different paths instead, each warp walks one path only
// and nothing adds up.

#include <cstdint>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [path]
/// One of 32 paths: the same number of steps, each path with constants of its own.
/// @tparam path   0 ... 31
/// @param steps   length of the path
/// @param state   where it starts
template <unsigned path>
__device__ __noinline__ std::uint32_t walk(int steps, std::uint32_t state) {
    for (int step = 0; step < steps; ++step) {
        state ^= state << (path % 13 + 1);
        state ^= state >> (path % 7 + 3);
        state += path + 1;  // not 0, which the compiler would leave out
    }
    return state;
}

/// Takes the path with the number `path`, by halving the range: five comparisons, no
/// table.
template <unsigned low = 0, unsigned high = 32>
__device__ std::uint32_t choose(unsigned path, int steps, std::uint32_t state) {
    if constexpr (high - low == 1) {
        return walk<low>(steps, state);
    } else {
        constexpr unsigned middle = (low + high) / 2;
        return path < middle ? choose<low, middle>(path, steps, state)
                             : choose<middle, high>(path, steps, state);
    }
}
// [/path]

// [kernel]
/// Every thread walks one of `paths` paths.
/// @param paths     number of different paths
/// @param by_lane   whether neighboring lanes differ, or neighboring warps
/// @param steps     length of each path
/// @param results   one number per thread in device memory
__global__ void diverge(unsigned paths, bool by_lane, int steps,
                        std::uint32_t* results) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned path = (by_lane ? thread : thread / warpSize) % paths;
    results[thread] = choose(path, steps, thread + 1);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 2000, 1, 100'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 2 * sms;
    constexpr int block_size = 1024;
    lockstep::device_buffer<std::uint32_t> d_results(std::size_t(blocks) * block_size);
    lockstep::csv_file series(csv, "differ,paths,~time_us");
    double time_us[2][33] = {};
    for (const bool by_lane : {true, false}) {
        for (const unsigned paths : {1u, 2u, 4u, 8u, 16u, 32u}) {
            d_results.fill_bytes(0xFF);
            const auto time = lockstep::time_on_device([&] {
                diverge<<<blocks, block_size>>>(paths, by_lane, steps,
                                                d_results.data());
            });
            time_us[by_lane][paths] = time.median_ms * 1e3;
            series.row("%s,%u,%.4g", by_lane ? "lanes of a warp" : "whole warps", paths,
                       time_us[by_lane][paths]);
        }
    }
    series.finish();
    const double lanes = time_us[true][32] / time_us[true][1];
    const double warps = time_us[false][32] / time_us[false][1];
    lockstep::report("one path", lockstep::measured{time_us[true][1]}, "us");
    lockstep::report("32 paths in each warp", lockstep::measured{time_us[true][32]},
                     "us");
    lockstep::report("32 paths, one per warp", lockstep::measured{time_us[false][32]},
                     "us");
    lockstep::report("32 in each warp / one path", lockstep::measured{lanes});
    lockstep::report("32, one per warp / one path", lockstep::measured{warps});

    std::uint32_t expected = 1;  // thread 0 takes path 0 in both kernels
    for (int step = 0; step < steps; ++step) {
        expected ^= expected << 1;
        expected ^= expected >> 3;
        expected += 1;
    }
    const bool same = d_results.to_host()[0] == expected;
    const bool measured = steps < 1000 || (lanes > 8 && warps < 2.5);
    lockstep::report("paths add up in a warp", measured);
    return same && measured ? EXIT_SUCCESS : EXIT_FAILURE;
}
