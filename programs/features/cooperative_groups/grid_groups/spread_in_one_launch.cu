// In each step, every cell becomes the largest of itself and its two neighbors. All
// steps run in one cooperative launch. Write the loop over the steps: no block may read
// what another has not written yet, nor overwrite what another still reads.

#include <algorithm>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

/// One step for the cell of this thread; odd blocks are slow.
/// @param n     number of cells, one for each thread of the grid
/// @param from  n cells in device memory
/// @param to    n cells in device memory, written
__device__ void spread(int n, const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2) lockstep::busy_wait(2000);
    int largest = from[i];
    if (i > 0) largest = max(largest, from[i - 1]);
    if (i < n - 1) largest = max(largest, from[i + 1]);
    to[i] = largest;
}

/// All steps.
/// @param n      number of cells, one for each thread of the grid
/// @param steps  number of steps
/// @param a      n cells in device memory, with the values at the begin
/// @param b      n cells in device memory
/// @param out    n cells in device memory, written: the result
__global__ void spread_all(int n, int steps, int* a, int* b, int* out) {
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    // [task]
    for (int step = 0; step < steps; ++step) {
        spread(n, a, b);
        grid.sync();
        int* const written = b;
        b = a;
        a = written;
    }
    out[i] = a[i];
    //= given
    //| // Call spread() for each step, and let the whole grid wait where it must.
    //| spread(n, a, b);
    //| out[i] = b[i];
    //= mutant block_waits
    //| for (int step = 0; step < steps; ++step) {
    //|     spread(n, a, b);
    //|     cg::this_thread_block().sync();
    //|     int* const written = b;
    //|     b = a;
    //|     a = written;
    //| }
    //| out[i] = a[i];
    //= mutant no_barrier
    //| for (int step = 0; step < steps; ++step) {
    //|     spread(n, a, b);
    //|     int* const written = b;
    //|     b = a;
    //|     a = written;
    //| }
    //| out[i] = a[i];
    //= mutant never_exchanged
    //| for (int step = 0; step < steps; ++step) {
    //|     spread(n, a, b);
    //|     grid.sync();
    //| }
    //| out[i] = b[i];
    //= mutant one_step_short
    //| for (int step = 1; step < steps; ++step) {
    //|     spread(n, a, b);
    //|     grid.sync();
    //|     int* const written = b;
    //|     b = a;
    //|     a = written;
    //| }
    //| out[i] = a[i];
    // [/task]
}

int main() {
    lockstep::require_device();

    constexpr int blocks = 16, block_size = 64;
    int n = blocks * block_size, steps = 101;
    std::vector<int> cells(n), next(n);
    for (int i = 0; i < n; ++i) cells[i] = i * 7919 % 10'007;
    lockstep::device_buffer<int> d_a(cells), d_b(n), d_out(n);
    d_b.fill_bytes(0);
    d_out.fill_bytes(0xFF);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i)
            next[i] = std::max(
                {cells[i], cells[std::max(i - 1, 0)], cells[std::min(i + 1, n - 1)]});
        std::swap(cells, next);
    }
    int* a = d_a.data();
    int* b = d_b.data();
    int* out = d_out.data();
    void* parameters[] = {&n, &steps, &a, &b, &out};
    lockstep::check(cudaLaunchCooperativeKernel(spread_all, blocks, block_size,
                                                parameters, 0, nullptr));

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("cells", d_out.to_host(), cells,
                  lockstep::in_groups(block_size, "block", "thread"));
    return verdict.finish();
}
