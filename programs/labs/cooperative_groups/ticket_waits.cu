// Bug report: "With 1000 elements the program never ends. With 2048 it is right. The
// grid barrier must be broken." The launch is cooperative, and its 16 blocks of 128
// threads fit. Find out which threads wait where, and for whom; then fix the kernel.

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int blocks = 16, block_size = 128;
constexpr int place_of_largest = 800;

/// Replaces each number by its distance to the largest.
/// @param n        number of elements, at most one for each thread of the grid
/// @param x        n ints in device memory, replaced
/// @param largest  one int in device memory, INT_MIN before
__global__ void distances(int n, int* x, int* largest) {
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    if (i == place_of_largest) lockstep::busy_wait(200'000);  // one thread is slow
    // [task]
    if (i < n) atomicMax(largest, x[i]);
    grid.sync();  // also for threads without an element
    if (i < n) x[i] = *largest - x[i];
    //= given
    //| if (i >= n) return;  // no element for this thread
    //| atomicMax(largest, x[i]);
    //| grid.sync();
    //| x[i] = *largest - x[i];
    //= mutant barrier_in_branch
    //| if (i < n) {
    //|     atomicMax(largest, x[i]);
    //|     grid.sync();
    //|     x[i] = *largest - x[i];
    //| }
    //= mutant block_waits
    //| if (i < n) atomicMax(largest, x[i]);
    //| cg::this_thread_block().sync();
    //| if (i < n) x[i] = *largest - x[i];
    //= mutant zero_for_none
    //| atomicMax(largest, i < n ? x[i] : 0);
    //| grid.sync();
    //| if (i < n) x[i] = *largest - x[i];
    //= mutant returns_later
    //| if (blockIdx.x * block_size >= n) return;
    //| if (i < n) atomicMax(largest, x[i]);
    //| grid.sync();
    //| if (i < n) x[i] = *largest - x[i];
    // [/task]
}

/// Waits until the kernel has ended, for two seconds at most.
/// @return what the stream said, cudaErrorNotReady if the kernel still runs
cudaError_t wait() {
    using clock = std::chrono::steady_clock;
    const auto limit = clock::now() + std::chrono::seconds(2);
    cudaError_t state = cudaErrorNotReady;
    while (state == cudaErrorNotReady && clock::now() < limit)
        state = cudaStreamQuery(nullptr);
    return state;
}

int main() {
    lockstep::require_device();

    lockstep::exercise_verdict verdict;
    for (int n : {blocks * block_size, 1000}) {
        std::vector<int> x(n);
        for (int i = 0; i < n; ++i) x[i] = i * 7919 % 10'007 - 20'000;
        const int greatest = x[place_of_largest] = -3;
        lockstep::device_buffer<int> d_x(x), d_largest(std::vector<int>{INT_MIN});
        for (int& number : x) number = greatest - number;
        int* in_out = d_x.data();
        int* largest = d_largest.data();
        void* arguments[] = {&n, &in_out, &largest};
        lockstep::check(cudaLaunchCooperativeKernel(distances, blocks, block_size,
                                                    arguments, 0, nullptr));
        const cudaError_t state = wait();
        char label[32];
        std::snprintf(label, sizeof label, "%d elements, the end", n);
        verdict.holds(label, state == cudaSuccess,
                      "blocks wait at grid.sync() for threads that never come: which "
                      "threads leave the kernel, or its branch, before the barrier?");
        if (state != cudaSuccess) {
            const int status = verdict.finish();
            std::fflush(stdout);
            std::_Exit(status);  // nothing can be freed while the kernel runs
        }
        std::snprintf(label, sizeof label, "%d elements, distances", n);
        verdict.equal(label, d_x.to_host(), x);
    }
    return verdict.finish();
}
