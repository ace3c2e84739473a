// A grid that fills the GPU once is enough to keep it busy. Is a grid that is two or
// ten times as large any faster? A grid-stride loop is timed with multiples of the
// blocks that fit, and with one thread for each element.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;

// [kernel]
/// x = x + 1, with any grid.
/// @param n  number of elements
/// @param x  n ints in device memory, changed in place
__global__ void increment(std::size_t n, int* x) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        x[i] += 1;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", 1 << 26, 1, 1 << 28);
    options.finish();
    lockstep::require_device();

    // [fits]
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    int blocks_each = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, increment, block_size, 0));
    const int fits = sms * blocks_each;
    // [/fits]
    const int all = static_cast<int>((n + block_size - 1) / block_size);
    const struct {
        const char* name;
        int blocks;
    } grids[] = {
        {"half of what fits", fits / 2},   {"what fits", fits},
        {"2 times what fits", 2 * fits},   {"4 times what fits", 4 * fits},
        {"10 times what fits", 10 * fits}, {"10 times what fits, + 1", 10 * fits + 1},
        {"one thread per element", all}};
    lockstep::device_buffer<int> x(n);
    bool right = true;
    for (const auto& [name, grid] : grids) {
        const auto launch = [&, blocks = grid] {
            increment<<<blocks, block_size>>>(n, x.data());
        };
        x.fill_bytes(0);
        launch();
        lockstep::check(cudaGetLastError());
        right = right &&
                lockstep::count_mismatches(x.to_host(), std::vector<int>(n, 1)) == 0;
        const double ms = lockstep::time_on_device(launch).median_ms;
        lockstep::report(name, lockstep::measured{2 * n * sizeof(int) / ms * 1e-6},
                         "GB/s");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
