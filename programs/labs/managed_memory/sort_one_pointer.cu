// What does managed memory take out of a program? The second set of arrays and the
// copies. Two functions sort the same numbers, one with explicit copies, the other with
// arrays that both processors use. The second needs one thing more: the CPU must wait
// for the kernel before it reads, since no copy does so for it.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Sorts numbers: each thread counts how many come before its own.
/// @param n       number of elements
/// @param x       n numbers
/// @param sorted  n numbers, written
__global__ void sort_by_rank(int n, const int* x, int* sorted) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rank = 0;
    for (int j = 0; j < n; ++j) rank += x[j] < x[i] || (x[j] == x[i] && j < i);
    sorted[rank] = x[i];
}
// [/kernel]

constexpr int block_size = 256;

/// The number at a place of the input; many occur more than once.
int number(int i) { return static_cast<int>(lockstep::random_word(i) % 1000u); }

/// Sorts n numbers with explicit copies.
/// @param n  how many
/// @return the sorted numbers
std::vector<int> with_copies(int n) {
    const int blocks = (n + block_size - 1) / block_size;
    // [copies]
    std::vector<int> x(n), sorted(n);
    for (int i = 0; i < n; ++i) x[i] = number(i);

    int* d_x = nullptr;
    int* d_sorted = nullptr;
    lockstep::check(cudaMalloc(&d_x, n * sizeof(int)));
    lockstep::check(cudaMalloc(&d_sorted, n * sizeof(int)));
    lockstep::check(cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    sort_by_rank<<<blocks, block_size>>>(n, d_x, d_sorted);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemcpy(sorted.data(), d_sorted, n * sizeof(int),
                               cudaMemcpyDeviceToHost));  // waits for the kernel
    lockstep::check(cudaFree(d_x));
    lockstep::check(cudaFree(d_sorted));
    // [/copies]
    return sorted;
}

/// Sorts n numbers in managed memory.
/// @param n  how many
/// @return the sorted numbers
std::vector<int> with_one_pointer(int n) {
    const int blocks = (n + block_size - 1) / block_size;
    // [managed]
    int* x = nullptr;
    int* sorted = nullptr;
    lockstep::check(cudaMallocManaged(&x, n * sizeof(int)));
    lockstep::check(cudaMallocManaged(&sorted, n * sizeof(int)));
    for (int i = 0; i < n; ++i) x[i] = number(i);

    sort_by_rank<<<blocks, block_size>>>(n, x, sorted);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());  // the launch has not waited

    const std::vector<int> result(sorted, sorted + n);  // the CPU uses the numbers
    lockstep::check(cudaFree(x));
    lockstep::check(cudaFree(sorted));
    // [/managed]
    return result;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 10'000, 1, 1 << 16);
    options.finish();
    lockstep::require_device();

    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = number(i);
    std::sort(expected.begin(), expected.end());
    const bool copied = with_copies(n) == expected;
    const bool managed = with_one_pointer(n) == expected;
    lockstep::report("numbers", n);
    lockstep::report("sorted, with copies", copied);
    lockstep::report("sorted, one pointer", managed);
    return copied && managed ? EXIT_SUCCESS : EXIT_FAILURE;
}
