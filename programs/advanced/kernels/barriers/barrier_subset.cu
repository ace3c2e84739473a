// Half of a block synchronizes many times at a barrier of its own, while the other half
// does other work and never arrives.

#include <cstdlib>
#include <vector>

#include <cuda/barrier>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// init() in the kernel initializes the barrier, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int few_threads = 128;

// [kernel]
/// The first half passes numbers around, the second half counts.
/// @param steps  number of steps
/// @param data   256 ints in device memory, written
__global__ void work_in_halves(int steps, int* data) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier few;
    __shared__ int words[2][few_threads];
    const int t = threadIdx.x;
    if (t == 0) init(&few, few_threads);
    __syncthreads();  // the only time that all threads synchronize
    int mine = t;
    for (int step = 0; step < steps; ++step) {
        if (t < few_threads) {
            words[step % 2][t] = mine;
            few.arrive_and_wait();
            mine = words[step % 2][(t + 1) % few_threads];
        } else {
            ++mine;
        }
    }
    data[t] = mine;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_data(2 * few_threads);
    work_in_halves<<<1, 2 * few_threads>>>(steps, d_data.data());
    lockstep::check(cudaGetLastError());
    std::vector<int> expected(2 * few_threads);
    for (int t = 0; t < few_threads; ++t) {
        expected[t] = (t + steps) % few_threads;
        expected[few_threads + t] = few_threads + t + steps;
    }
    const std::size_t wrong = lockstep::count_mismatches(d_data.to_host(), expected);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
