// Four host threads process a row each, with two kernels: the first writes a temporary
// array, the second reads it. The loop over the rows once ran in one thread, and had
// one temporary array. Now the threads have streams of their own, and the array is
// still one for all. Give each thread its own part of a larger one.

#include <string>
#include <thread>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int threads = 4;  // and rows
constexpr int n = 256;      // elements of a row
constexpr long long patience = 400'000'000;  // cycles, about 0.2 s

/// Adds to each number the next one, around the end. Its first thread then waits for
/// the kernels of the other rows to get as far, so that each run meets the worst case.
/// @param x        n ints in device memory
/// @param sums     n ints in device memory, written
/// @param arrived  kernels that have written, in device memory, 0 at first
__global__ void add_next(const int* x, int* sums, int* arrived) {
    sums[threadIdx.x] = x[threadIdx.x] + x[(threadIdx.x + 1) % n];
    __syncthreads();
    if (threadIdx.x > 0) return;
    atomicAdd(arrived, 1);
    const long long start = clock64();
    while (atomicAdd(arrived, 0) < threads && clock64() - start < patience) {
    }
}

/// Subtracts from each sum the one before it, around the end.
/// @param sums  n ints in device memory
/// @param y     n ints in device memory, written
__global__ void subtract_previous(const int* sums, int* y) {
    y[threadIdx.x] = sums[threadIdx.x] - sums[(threadIdx.x + n - 1) % n];
}

int main() {
    lockstep::require_device();

    std::vector<int> x(threads * n), expected(threads * n);
    for (int i = 0; i < threads * n; ++i)
        x[i] = static_cast<int>(lockstep::random_word(i) % 1000);
    for (int row = 0; row < threads; ++row)
        for (int i = 0; i < n; ++i)
            expected[row * n + i] =
                x[row * n + (i + 1) % n] - x[row * n + (i + n - 1) % n];
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_y(std::vector<int>(threads * n, -1'000'000));
    lockstep::device_buffer<int> d_arrived(std::vector<int>{0});
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(add_next, subtract_previous);

    const std::vector<lockstep::owned_stream> streams(threads);
    // [task-allocate]
    lockstep::device_buffer<int> d_scratch(threads * n);
    //= given
    //| lockstep::device_buffer<int> d_scratch(n);
    //= mutant one_element_apart
    //| lockstep::device_buffer<int> d_scratch(n + threads);
    // [/task-allocate]
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            // [task-thread]
            int* const mine = d_scratch.data() + t * n;
            //= given
            //| int* const mine = d_scratch.data();
            //= mutant larger_but_shared
            //| int* const mine = d_scratch.data();
            //= mutant one_element_apart
            //| int* const mine = d_scratch.data() + t;
            //= mutant two_by_two
            //| int* const mine = d_scratch.data() + t / 2 * n;
            // [/task-thread]
            add_next<<<1, n, 0, streams[t]>>>(d_x.data() + t * n, mine,
                                              d_arrived.data());
            lockstep::check(cudaGetLastError());
            subtract_previous<<<1, n, 0, streams[t]>>>(mine, d_y.data() + t * n);
            lockstep::check(cudaGetLastError());
        });
    for (std::thread& worker : workers) worker.join();
    lockstep::check(cudaDeviceSynchronize());

    const std::vector<int> y = d_y.to_host();
    std::string mixed;  // what the first wrong row holds
    for (int i = 0; i < threads * n && mixed.empty(); ++i) {
        if (y[i] == expected[i]) continue;
        mixed = "element " + std::to_string(i % n) + " of row " +
                std::to_string(i / n) + " is wrong";
        for (int row = 0; row < threads; ++row)
            if (y[i] == expected[row * n + i % n])
                mixed += ": it is that of row " + std::to_string(row) +
                         ", which used the same temporary array";
    }
    lockstep::exercise_verdict verdict;
    verdict.holds("rows", mixed.empty(), mixed.c_str());
    return verdict.finish();
}
