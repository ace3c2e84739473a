// What do the four barriers of a block return, and whom do they count? Of 128 threads,
// the last 32 have ended. The barriers wait for the other 96 and combine a number of
// each of them: how many are not 0, whether all are, whether any is.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Thread 0 writes what the barriers return.
/// @param results  6 ints in device memory
__global__ void vote(int* results) {
    __shared__ int from_last;
    const int i = threadIdx.x;
    if (i >= 96) return;  // barriers do not wait for threads that have ended

    const int count = __syncthreads_count(i % 3);  // two of three are not 0
    const int all_below_96 = __syncthreads_and(i < 96);
    const int all_below_95 = __syncthreads_and(i < 95);
    const int any_is_95 = __syncthreads_or(i == 95);
    const int any_is_100 = __syncthreads_or(i == 100);

    if (i == 95) from_last = 42;
    __syncthreads();  // orders the store of thread 95 before the load of thread 0
    if (i == 0) {
        results[0] = count;
        results[1] = all_below_96 != 0;
        results[2] = all_below_95 != 0;
        results[3] = any_is_95 != 0;
        results[4] = any_is_100 != 0;
        results[5] = from_last;
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_results(6);
    d_results.fill_bytes(0xFF);
    vote<<<1, 128>>>(d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> results = d_results.to_host();
    lockstep::report("count of i % 3", results[0]);
    lockstep::report("and of i < 96", results[1] == 1);
    lockstep::report("and of i < 95", results[2] == 1);
    lockstep::report("or of i == 95", results[3] == 1);
    lockstep::report("or of i == 100", results[4] == 1);
    lockstep::report("word of thread 95", results[5]);
    return lockstep::count_mismatches(results, {64, 1, 0, 1, 0, 42}) == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
