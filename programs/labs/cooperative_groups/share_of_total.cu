// Each element's share of the total, in one launch: no thread can compute one before
// all blocks have added up theirs. A barrier of the grid stands between. It needs all
// blocks on the GPU together, so the launch must be cooperative, and no larger than
// what fits.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// Computes the share of each element, in parts of a million.
/// @param n       number of elements
/// @param x       n ints in device memory, 0 to 100
/// @param shares  n ints in device memory, written
/// @param total   one int in device memory, 0 before
__global__ void compute_shares(int n, const int* x, int* shares, int* total) {
    const cg::grid_group grid = cg::this_grid();
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int first = static_cast<int>(grid.thread_rank());
    const int step = static_cast<int>(grid.num_threads());
    int mine = 0;
    for (int i = first; i < n; i += step) mine += x[i];
    const int sum = cg::reduce(tile, mine, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(total, sum);
    grid.sync();  // the total is complete
    for (int i = first; i < n; i += step) shares[i] = x[i] * 1'000'000 / *total;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    int n = options.integer("n", 1 << 20, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n), expected(n);
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] = 1 + i * 7 % 100;
    for (int i = 0; i < n; ++i) expected[i] = x[i] * 1'000'000 / sum;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_shares(n), d_total(1);
    d_shares.fill_bytes(0xFF);
    d_total.fill_bytes(0);

    constexpr int block_size = 256;
    // [capacity]
    int sms = 0, blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, compute_shares, block_size, 0));
    const int most = sms * blocks_on_each;
    // [/capacity]
    // [launch]
    const int blocks = std::min((n + block_size - 1) / block_size, most);
    const int* in = d_x.data();
    int* shares = d_shares.data();
    int* total = d_total.data();
    void* arguments[] = {&n, &in, &shares, &total};
    lockstep::check(cudaLaunchCooperativeKernel(compute_shares, blocks, block_size,
                                                arguments, 0, nullptr));
    // [/launch]
    const std::size_t wrong = lockstep::count_mismatches(d_shares.to_host(), expected);
    const cudaError_t one_more = cudaLaunchCooperativeKernel(
        compute_shares, most + 1, block_size, arguments, 0, nullptr);
    static_cast<void>(cudaGetLastError());  // clears the refusal, printed below

    lockstep::report("threads of a block", block_size);
    lockstep::report("blocks on an SM", blocks_on_each);
    lockstep::report("SMs", sms);
    lockstep::report("most blocks of a launch", most);
    lockstep::report("one block more", cudaGetErrorName(one_more));
    lockstep::report("wrong shares", wrong);
    return wrong == 0 && one_more == cudaErrorCooperativeLaunchTooLarge ? EXIT_SUCCESS
                                                                        : EXIT_FAILURE;
}
