// What if some threads of a group have returned before a collective? A kernel guards
// its tail with "if (i >= n) return;", and the rest of the warp calls reduce() for the
// whole tile. The behavior is undefined. With --fixed every thread takes part, and
// those without an element bring a zero.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int n = 100;
constexpr int block_size = 128;

// [wrong]
/// Adds up the elements of each warp.
/// @param x     n ints in device memory
/// @param sums  one int for each warp in device memory, written
__global__ void add_some(const int* x, int* sums) {
    const int i = threadIdx.x;
    if (i >= n) return;  // the last warp keeps four of its threads
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(tile, x[i], cg::plus<int>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
}
// [/wrong]

// [fixed]
/// The same with all threads.
/// @param x     n ints in device memory
/// @param sums  one int for each warp in device memory, written
__global__ void add_all(const int* x, int* sums) {
    const int i = threadIdx.x;
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(tile, i < n ? x[i] : 0, cg::plus<int>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
}
// [/fixed]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fixed = options.flag("fixed");
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = i;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sums(block_size / 32);
    d_sums.fill_bytes(0xFF);
    if (fixed)
        add_all<<<1, block_size>>>(d_x.data(), d_sums.data());
    else
        add_some<<<1, block_size>>>(d_x.data(), d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> sums = d_sums.to_host();
    lockstep::report("sum of the first warp", sums[0]);
    lockstep::report("sum of the last warp", sums[3]);
    const bool right = sums == std::vector<int>{496, 1520, 2544, 390};
    return right || !fixed ? EXIT_SUCCESS : EXIT_FAILURE;  // undefined if not fixed
}
