// What does it cost that a small function lies in another unit? A call for each use,
// since the compiler of one unit does not see the other's code. Link-time optimization
// looks once more when both are there, and puts the function into the loop. The same
// source is built whole, in two units, and in two units with -dlto.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [units]
#ifdef ONE_UNIT
#include "lto_step.cu"
#else
__device__ unsigned step(unsigned x);
#endif

/// Takes many steps from each thread's own start.
/// @param steps  how many
/// @param x      one number for each thread, changed in place
__global__ void walk(int steps, unsigned* x) {
    unsigned& mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned here = mine;
#pragma unroll 1
    for (int i = 0; i < steps; ++i) here = step(here);
    mine = here;
}
// [/units]

/// The number after x, on the host.
/// @param x  any number but 0
unsigned step_on_host(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1 << 14, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    constexpr int blocks = 264;  // 2 for each SM of an H200; any number is right
    std::vector<unsigned> start(blocks * block_size);
    for (std::size_t i = 0; i < start.size(); ++i)
        start[i] = static_cast<unsigned>(i + 1);
    lockstep::device_buffer<unsigned> d_x(start);
    walk<<<blocks, block_size>>>(steps, d_x.data());
    lockstep::check(cudaGetLastError());
    const auto found = d_x.to_host();
    std::size_t wrong = 0;
    for (int i = 0; i < block_size; ++i) {  // the first block
        unsigned here = start[i];
        for (int k = 0; k < steps; ++k) here = step_on_host(here);
        wrong += found[i] != here;
    }

    const lockstep::timing time = lockstep::time_on_device(
        [&] { walk<<<blocks, block_size>>>(steps, d_x.data()); });
    lockstep::report("time", lockstep::measured{time.median_ms * 1e3}, "us");
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
