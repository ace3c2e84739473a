// Warp-synchronous code from before Volta adds up a warp's numbers in shared memory and
// assumes that the lanes run in lockstep. racecheck reports it, __syncwarp fixes it.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds up 32 numbers with one warp.
/// @param x    32 ints in device memory
/// @param sum  one int in device memory, written
template <bool in_step>
__global__ void add_up(const int* x, int* sum) {
    __shared__ int words[32];
    const unsigned lane = threadIdx.x;
    words[lane] = x[lane];
    if (in_step) __syncwarp();
    for (unsigned width = 16; width > 0; width /= 2) {
        const int other = lane < width ? words[lane + width] : 0;
        if (in_step) __syncwarp();
        words[lane] += other;
        if (in_step) __syncwarp();
    }
    if (lane == 0) *sum = words[0];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fixed = options.flag("syncwarp");
    options.finish();
    lockstep::require_device();

    std::vector<int> x(32);
    int expected = 0;
    for (int i = 0; i < 32; ++i) {
        x[i] = i * i;
        expected += x[i];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sum(1);
    if (fixed)
        add_up<true><<<1, 32>>>(d_x.data(), d_sum.data());
    else
        add_up<false><<<1, 32>>>(d_x.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    const int sum = d_sum.to_host()[0];
    lockstep::report("sum", lockstep::counted{sum});
    lockstep::report("expected", expected);
    return !fixed || sum == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
