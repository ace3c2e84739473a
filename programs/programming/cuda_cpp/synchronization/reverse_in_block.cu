// When must the threads of a block wait for one another? When one thread reads what
// another wrote. Each thread writes its element to shared memory and reads the one from
// the other end. Half of the warps are delayed here, as warps may be: without the
// barrier, the other warps read elements that have not been written yet.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 1024;

/// Delays the upper half of a block's warps by `delay` clock cycles.
__device__ void arrive_late(long long delay) {
    if (threadIdx.x < block_size / 2) return;
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
}

// [with-barrier]
/// Reverses each block's slice of an array.
/// @param delay  cycles by which half of the warps are delayed
/// @param data   block_size ints for each block in device memory, reversed in place
__global__ void reverse(long long delay, int* data) {
    __shared__ int tile[block_size];
    const int i = blockIdx.x * block_size + threadIdx.x;
    arrive_late(delay);
    tile[threadIdx.x] = data[i];
    __syncthreads();  // all of the tile is written before any of it is read
    data[i] = tile[block_size - 1 - threadIdx.x];
}
// [/with-barrier]

// [without-barrier]
/// The same, and wrong: no thread waits.
/// @param delay  cycles by which half of the warps are delayed
/// @param data   block_size ints for each block in device memory
__global__ void reverse_without_barrier(long long delay, int* data) {
    __shared__ int tile[block_size];
    const int i = blockIdx.x * block_size + threadIdx.x;
    arrive_late(delay);
    tile[threadIdx.x] = data[i];
    data[i] = tile[block_size - 1 - threadIdx.x];
}
// [/without-barrier]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool barrier = options.choice("barrier", {"yes", "no"}) == 0;
    options.finish();
    lockstep::require_device();

    // more blocks than fit at once: most find data of earlier blocks in shared memory
    constexpr int blocks = 1024;
    constexpr int n = blocks * block_size;
    std::vector<int> data(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        data[i] = i;
        expected[i] = i / block_size * block_size + block_size - 1 - i % block_size;
    }
    lockstep::device_buffer<int> d_data(data);
    // [launch]
    constexpr long long delay = 100'000;
    if (barrier)
        reverse<<<blocks, block_size>>>(delay, d_data.data());
    else
        reverse_without_barrier<<<blocks, block_size>>>(delay, d_data.data());
    lockstep::check(cudaGetLastError());
    // [/launch]
    const std::size_t wrong = lockstep::count_mismatches(d_data.to_host(), expected);
    lockstep::report("elements", n);
    lockstep::report("some are wrong", wrong > 0);
    // without the barrier, a schedule may give the right result all the same
    return barrier && wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
