// What do threads without work cost? A few in the last block cost almost nothing. But
// a grid 64 times too large starts 63 blocks without work for each block with work, and
// every one of them must be scheduled before it can end.

#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Doubles every element.
/// @param n     number of elements
/// @param from  n ints in device memory
/// @param to    n ints in device memory, written
__global__ void twice(int n, const int* from, int* to) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 2 * from[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 10'000'000, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    std::vector<int> data(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        data[i] = i;
        expected[i] = 2 * i;
    }
    const lockstep::device_buffer<int> d_from(data);
    lockstep::device_buffer<int> d_to(n);

    // [fitting]
    constexpr int block_size = 256;
    const int blocks = (n + block_size - 1) / block_size;
    const auto fitting = lockstep::time_back_to_back(
        [&] { twice<<<blocks, block_size>>>(n, d_from.data(), d_to.data()); });
    // [/fitting]
    const std::size_t wrong_fitting =
        lockstep::count_mismatches(d_to.to_host(), expected);
    d_to.fill_bytes(0xFF);
    // [oversized]
    const auto oversized = lockstep::time_back_to_back(
        [&] { twice<<<64 * blocks, block_size>>>(n, d_from.data(), d_to.data()); });
    // [/oversized]
    const std::size_t wrong_oversized =
        lockstep::count_mismatches(d_to.to_host(), expected);

    const double ratio = oversized.median_ms / fitting.median_ms;
    lockstep::report("blocks that fit", blocks);
    lockstep::report("time, grid that fits",
                     lockstep::measured{fitting.median_ms * 1e3}, "us");
    lockstep::report("blocks, 64 times as many", 64 * blocks);
    lockstep::report("time, grid 64 times larger",
                     lockstep::measured{oversized.median_ms * 1e3}, "us");
    lockstep::report("larger grid / fitting grid", lockstep::measured{ratio}, "times");
    lockstep::report("wrong elements", wrong_fitting + wrong_oversized);
    const bool costs = n < 1'000'000 || ratio > 2;
    return wrong_fitting + wrong_oversized == 0 && costs ? EXIT_SUCCESS : EXIT_FAILURE;
}
