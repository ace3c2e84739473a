// What if not all threads reach the same barrier? The program is wrong: __syncthreads
// must be reached by all threads of the block, at the same place. Two barriers in two
// branches are a mistake that the tool synccheck reports. A branch whose other threads
// leave the kernel gets by on this GPU, and no tool complains.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 64;

// [two]
/// Reverses an array through shared memory. Wrong: a barrier in each branch, and no
/// thread comes to both.
/// @param n     number of elements, at most block_size, a multiple of 32
/// @param data  n ints in device memory, reversed in place
__global__ void barrier_in_each_branch(int n, int* data) {
    __shared__ int words[block_size];
    if (threadIdx.x < n) {
        words[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
        data[threadIdx.x] = words[n - 1 - threadIdx.x];
    } else {
        words[threadIdx.x] = -1;
        __syncthreads();  // another barrier
    }
}
// [/two]

// [inside]
/// The same. Wrong: threads without an element never come to the barrier.
/// @param n     number of elements, at most block_size
/// @param data  n ints in device memory, reversed in place
__global__ void barrier_inside(int n, int* data) {
    __shared__ int words[block_size];
    if (threadIdx.x < n) {
        words[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
        data[threadIdx.x] = words[n - 1 - threadIdx.x];
    }
}
// [/inside]

// [right]
/// The same; the barrier stands outside of the branches.
/// @param n     number of elements, at most block_size
/// @param data  n ints in device memory, reversed in place
__global__ void barrier_outside(int n, int* data) {
    __shared__ int words[block_size];
    if (threadIdx.x < n) words[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) data[threadIdx.x] = words[n - 1 - threadIdx.x];
}
// [/right]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int version = options.choice("barrier", {"outside", "inside", "two"});
    options.finish();
    lockstep::require_device();

    constexpr int n = 32;
    std::vector<int> data(n);
    for (int i = 0; i < n; ++i) data[i] = i;
    lockstep::device_buffer<int> d_data(data);
    const auto kernel = version == 0   ? barrier_outside
                        : version == 1 ? barrier_inside
                                       : barrier_in_each_branch;
    kernel<<<1, block_size>>>(n, d_data.data());
    lockstep::check(cudaGetLastError());
    int wrong = 0;
    const std::vector<int> reversed = d_data.to_host();
    for (int i = 0; i < n; ++i) wrong += reversed[i] != n - 1 - i;
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
