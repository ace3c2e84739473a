// Must the CPU wait while a kernel runs? No: a launch only hands work over. Here the
// kernel cannot end before the CPU has finished a computation of its own, since it
// waits for a flag that the CPU raises only then. If launches blocked, the kernel would
// give up.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// An int that the CPU and the GPU may read and write at the same time.
using system_flag = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Adds 1 ... n, then waits until the host raises its flag; gives up after `patience`
/// clock cycles.
/// @param n         last number to add
/// @param flag      one int in page-locked host memory
/// @param patience  cycles of the SM's clock
/// @param result    two numbers in page-locked host memory: the sum, and 1 if the flag
///                  was seen
__global__ void add_and_wait(int n, int* flag, long long patience, long long* result) {
    const system_flag raised(*flag);
    long long sum = 0;
    for (int i = 1; i <= n; ++i) sum += i;
    result[0] = sum;
    const long long start = clock64();
    while (raised.load() == 0 && clock64() - start < patience) {
    }
    result[1] = raised.load();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 10'000'000);
    options.finish();
    lockstep::require_device();

    int* flag = nullptr;
    long long* result = nullptr;
    lockstep::check(cudaMallocHost(&flag, sizeof(int)));
    lockstep::check(cudaMallocHost(&result, 2 * sizeof(long long)));
    *flag = 0;
    result[0] = -1;
    result[1] = -1;

    // [both]
    constexpr long long patience = 4'000'000'000;  // cycles: about two seconds
    add_and_wait<<<1, 1>>>(n, flag, patience, result);  // returns at once
    lockstep::check(cudaGetLastError());
    std::vector<long long> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 1);  // the CPU works meanwhile
    const long long cpu_sum = std::accumulate(numbers.begin(), numbers.end(), 0LL);
    system_flag(*flag).store(1);
    lockstep::check(cudaDeviceSynchronize());
    // [/both]

    lockstep::report("sum by the CPU", cpu_sum);
    lockstep::report("sum by the GPU", result[0]);
    lockstep::report("CPU done while kernel ran", result[1] == 1);
    const bool right = cpu_sum == result[0] && result[1] == 1;
    lockstep::check(cudaFreeHost(flag));
    lockstep::check(cudaFreeHost(result));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
