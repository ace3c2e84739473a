// How do the threads of a block work on one result? Through shared memory. Each thread
// puts a number there, all wait, and then thread 0 reads what the others wrote. Each
// block has its own copy of the array.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;

/// Adds up each block's slice of an array.
/// @param n     number of elements
/// @param data  n ints in device memory
/// @param sums  one int for each block in device memory
// [kernel]
__global__ void block_sum(int n, const int* data, int* sums) {
    __shared__ int parts[block_size];  // size known when it is compiled
    const int i = blockIdx.x * block_size + threadIdx.x;
    parts[threadIdx.x] = i < n ? data[i] : 0;
    __syncthreads();  // all parts are written before thread 0 reads them
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int part = 0; part < block_size; ++part) sum += parts[part];
        sums[blockIdx.x] = sum;
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'000, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    const int blocks = (n + block_size - 1) / block_size;
    std::vector<int> data(n);
    std::vector<int> expected(blocks, 0);
    for (int i = 0; i < n; ++i) {
        data[i] = i % 100;
        expected[i / block_size] += data[i];
    }
    const lockstep::device_buffer<int> d_data(data);
    lockstep::device_buffer<int> d_sums(blocks);
    d_sums.fill_bytes(0xFF);
    block_sum<<<blocks, block_size>>>(n, d_data.data(), d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> sums = d_sums.to_host();
    const std::size_t wrong = lockstep::count_mismatches(sums, expected);
    lockstep::report("elements", n);
    lockstep::report("blocks", blocks);
    lockstep::report("sum of block 0", sums[0]);
    lockstep::report("sum of the last block", sums[blocks - 1]);
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
