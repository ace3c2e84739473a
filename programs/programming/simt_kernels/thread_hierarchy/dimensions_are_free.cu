// Do two- and three-dimensional blocks cost anything? No: dimensions are a convenience.
// The same work on the same elements, in blocks of 64 x 1 x 1, 32 x 2 x 1 and 32 x 1 x
// 2 threads, takes the same time. What does cost is a shape whose warps touch scattered
// addresses, as 1 x 64.

#include <cstdio>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// Adds one to each element of a cube.
/// @param side  elements in each direction; grid and block cover it exactly
/// @param data  side x side x side ints in device memory, changed in place
__global__ void increment(int side, int* data) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    data[(z * side + y) * side + x] += 1;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = options.integer("side", 512, 64, 1024);
    options.finish();
    if (side % 64 != 0) {
        std::fprintf(stderr, "dimensions_are_free: --side must be a multiple of 64\n");
        return 2;
    }
    lockstep::require_device();

    const std::size_t n = std::size_t(side) * side * side;
    lockstep::device_buffer<int> d_data(n);
    d_data.fill_bytes(0);
    // [shapes]
    const dim3 shapes[] = {dim3(64), dim3(32, 2), dim3(32, 1, 2), dim3(8, 4, 2),
                           dim3(1, 64)};
    // [/shapes]
    double ms[5] = {};
    int launches = 0;
    for (int i = 0; i < 5; ++i) {
        const dim3 block = shapes[i];
        const dim3 grid(side / block.x, side / block.y, side / block.z);
        const auto work = [&] {
            increment<<<grid, block>>>(side, d_data.data());
            ++launches;
        };
        ms[i] = lockstep::time_on_device(work).median_ms;
        char label[32];
        std::snprintf(label, sizeof label, "%u x %u x %u threads", block.x, block.y,
                      block.z);
        lockstep::report(label, lockstep::measured{ms[i] * 1e3}, "us");
    }
    int wrong = 0;
    for (const int value : d_data.to_host()) wrong += value != launches;
    lockstep::report("wrong elements", wrong);
    const bool free = ms[1] < 1.15 * ms[0] && ms[2] < 1.15 * ms[0];
    const bool scattered = ms[4] > 2 * ms[0];
    return wrong == 0 && (side < 256 || (free && scattered)) ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
