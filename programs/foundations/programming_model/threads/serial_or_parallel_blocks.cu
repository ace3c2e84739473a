// Does a grid need all its blocks at once? No. Blocks that keep to themselves may run
// all together, one after the other, or backwards: the result is the same. That is why
// one program fits a GPU with one SM and a GPU with 132.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Squares the elements of its block's slice.
/// @param n            number of elements
/// @param first_block  added to blockIdx.x, so that a part of the grid can be launched
///                     alone
/// @param data         n ints in device memory, changed in place
__global__ void square(int n, int first_block, int* data) {
    const int i = (first_block + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 10'000, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    std::vector<int> data(n);
    for (int i = 0; i < n; ++i) data[i] = i % 1000;
    constexpr int block_size = 128;
    const int blocks = (n + block_size - 1) / block_size;

    // [launches]
    lockstep::device_buffer<int> d_together(data);
    square<<<blocks, block_size>>>(n, 0, d_together.data());
    lockstep::check(cudaGetLastError());

    lockstep::device_buffer<int> d_one_by_one(data);
    for (int block = blocks - 1; block >= 0; --block) {  // backwards, each alone
        square<<<1, block_size>>>(n, block, d_one_by_one.data());
        lockstep::check(cudaGetLastError());
    }
    // [/launches]

    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = data[i] * data[i];
    const std::size_t wrong_together =
        lockstep::count_mismatches(d_together.to_host(), expected);
    const std::size_t wrong_one_by_one =
        lockstep::count_mismatches(d_one_by_one.to_host(), expected);
    lockstep::report("blocks", blocks);
    lockstep::report("wrong, all at once", wrong_together);
    lockstep::report("wrong, one by one", wrong_one_by_one);
    return wrong_together == 0 && wrong_one_by_one == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
