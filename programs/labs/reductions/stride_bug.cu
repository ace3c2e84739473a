// The sum is right for some grids and wrong for others. Find the mistake in the grid-
// stride loop and fix it. Which grids hide it?

#include <cstdio>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// Adds up an array.
/// @param n    number of elements
/// @param x    n ints in device memory
/// @param sum  one int in device memory, increased by the sum
__global__ void add_up(int n, const int* x, int* sum) {
    __shared__ int parts[1024];
    int mine = 0;
    // [task]
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        mine += x[i];
    //= given
    //| for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
    //|      i += blockDim.x * blockDim.x)
    //|     mine += x[i];
    //= mutant grid_only
    //| for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
    //|      i += gridDim.x * gridDim.x)
    //|     mine += x[i];
    //= mutant block_only
    //| for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    //|     mine += x[i];
    // [/task]
    parts[threadIdx.x] = mine;
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    }
    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

int main() {
    lockstep::require_device();

    constexpr int n = 1'000'003;
    std::vector<int> x(n);
    int expected = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = i % 101;
        expected += x[i];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sum(1);
    lockstep::exercise_verdict verdict;
    constexpr int grids[][2] = {{256, 256}, {128, 256}, {640, 256},
                                {1, 1024},  {32, 32},   {4000, 64}};
    for (const auto& [blocks, threads] : grids) {
        d_sum.fill_bytes(0);
        add_up<<<blocks, threads>>>(n, d_x.data(), d_sum.data());
        lockstep::check(cudaGetLastError());
        char label[40];
        std::snprintf(label, sizeof label, "%d blocks of %d", blocks, threads);
        verdict.equal(label, d_sum.to_host(), std::vector<int>{expected});
    }
    return verdict.finish();
}
