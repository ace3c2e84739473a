// What does a debug build cost on the GPU? With -G every variable lives in memory and
// nothing is optimized, so that a debugger can follow. With -lineinfo the machine code
// stays as it is, and only learns its line numbers. The macro __CUDACC_DEBUG__ tells a
// -G build.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// A step of a random number generator.
/// @param x  any number but 0
__host__ __device__ unsigned mixed(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
}

/// Mixes each thread's number many times.
/// @param rounds  how often
/// @param x       one number for each thread, changed in place
__global__ void mix(int rounds, unsigned* x) {
    unsigned mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < rounds; ++i) mine = mixed(mine);
    x[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1 << 12, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    constexpr int blocks = 264;  // 2 for each SM of an H200; any number is right
    std::vector<unsigned> start(blocks * block_size);
    for (std::size_t i = 0; i < start.size(); ++i)
        start[i] = static_cast<unsigned>(i + 1);
    lockstep::device_buffer<unsigned> d_x(start);
    mix<<<blocks, block_size>>>(rounds, d_x.data());
    lockstep::check(cudaGetLastError());
    const auto found = d_x.to_host();
    std::size_t wrong = 0;
    for (int i = 0; i < block_size; ++i) {  // the first block
        unsigned mine = start[i];
        for (int round = 0; round < rounds; ++round) mine = mixed(mine);
        wrong += found[i] != mine;
    }

    // [macro]
#ifdef __CUDACC_DEBUG__
    lockstep::report("compiled with -G", true);
#else
    lockstep::report("compiled with -G", false);
#endif
    // [/macro]
    const lockstep::timing time = lockstep::time_on_device(
        [&] { mix<<<blocks, block_size>>>(rounds, d_x.data()); });
    lockstep::report("time", lockstep::measured{time.median_ms * 1e3}, "us");
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
