// Is local memory slow? It is device memory, but laid out for warps: word k of all 32
// threads lies side by side. If all lanes use the same index at a time, one access is
// 128 bytes in a row. If each lane uses another index, it is 32 scattered words.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int words = 128;

// [kernel]
/// Each thread walks through an array of its own, which the compiler cannot keep in
/// registers.
/// @param steps   number of accesses
/// @param spread  0: all lanes use one index at a time; 1: each its own
/// @param result  one number for each thread in device memory
__global__ void walk(int steps, int spread, unsigned* result) {
    unsigned own[words];
#pragma unroll 1
    for (int i = 0; i < words; ++i) own[i] = i;
    const unsigned first = spread * (threadIdx.x % 32);
    unsigned sum = 0;
    for (int step = 0; step < steps; ++step) {
        const unsigned index = (first + step) % words;
        sum += own[index];
        own[index] = step;
    }
    result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1024, 1, 1 << 20);
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    int blocks = 0;
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    blocks *= 8;
    lockstep::device_buffer<unsigned> d_result(std::size_t(blocks) * block_size);
    bool right = true;
    double ms[2] = {};
    for (const int spread : {0, 1}) {
        d_result.fill_bytes(0xFF);
        const auto run = [&] {
            walk<<<blocks, block_size>>>(steps, spread, d_result.data());
        };
        if (once) {
            run();
            lockstep::check(cudaGetLastError());
            std::puts(spread ? "own index in each lane" : "same index in all lanes");
        } else {
            ms[spread] = lockstep::time_on_device(run).median_ms;
        }
        const std::vector<unsigned> result = d_result.to_host();
        for (const int thread : {0, 1, 31, blocks * block_size - 1}) {
            std::vector<unsigned> own(words);
            for (int i = 0; i < words; ++i) own[i] = i;
            unsigned sum = 0;
            for (int step = 0; step < steps; ++step) {
                const unsigned index = (spread * (thread % 32) + step) % words;
                sum += own[index];
                own[index] = step;
            }
            right = right && result[thread] == sum;
        }
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    lockstep::report("same index in all lanes", lockstep::measured{ms[0]}, "ms");
    lockstep::report("own index in each lane", lockstep::measured{ms[1]}, "ms");
    lockstep::report("time, own / same index", lockstep::measured{ms[1] / ms[0]},
                     "times");
    return right && (steps < 512 || ms[1] > 1.5 * ms[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
