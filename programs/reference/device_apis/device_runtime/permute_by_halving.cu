// What can a kernel that launches itself declare and use? The kernel reorders an array
// in dynamic shared memory, writes it back to global memory, because shared memory
// cannot be passed on, and launches itself for each half. All grids see the same
// __device__ and __constant__ variables, by name or by address.

#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

__constant__ int smallest;  // a part of this size is not divided
__device__ int grids;       // that have run

// [kernel]
/// Counts a grid.
/// @param counter  in global memory
__global__ void count_grid(int* counter) { atomicAdd(counter, 1); }

/// Moves the even elements to the front, and does the same with both halves.
/// @param n     number of elements, a power of two, as many as threads of the block
/// @param data  n ints in device memory, changed in place
__global__ void permute(int n, int* data) {
    extern __shared__ int words[];  // n ints, as the launch says
    __shared__ int half;            // of a fixed size, beside them
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) half = n / 2;
    words[t] = data[t];
    __syncthreads();
    data[t] = words[t < half ? 2 * t : 2 * (t - half) + 1];
    __syncthreads();  // the children see what the whole block has written
    if (t == 0) {
        count_grid<<<1, 1, 0, cudaStreamFireAndForget>>>(&grids);  // by address
        if (half >= smallest) {
            permute<<<1, half, half * sizeof(int)>>>(half, data);
            permute<<<1, half, half * sizeof(int)>>>(half, data + half);
        }
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int n = 256;
    constexpr int bits = 8;
    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = i;
    lockstep::device_buffer<int> d_x(x);
    // [symbols]
    const int two = 2, none = 0;  // before the launch, and not while grids run
    lockstep::check(cudaMemcpyToSymbol(smallest, &two, sizeof two));
    lockstep::check(cudaMemcpyToSymbol(grids, &none, sizeof none));
    permute<<<1, n, n * sizeof(int)>>>(n, d_x.data());
    lockstep::check(cudaGetLastError());
    int ran = 0;
    lockstep::check(cudaMemcpyFromSymbol(&ran, grids, sizeof ran));  // waits
    // [/symbols]
    x = d_x.to_host();

    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int reversed = 0;
        for (int bit = 0; bit < bits; ++bit)
            reversed |= (i >> bit & 1) << (bits - 1 - bit);
        wrong += x[i] != reversed;
    }
    lockstep::report("elements", n);
    lockstep::report("grids that permuted", ran);
    lockstep::report("first element", x[0]);
    lockstep::report("second element", x[1]);
    lockstep::report("elements in wrong order", wrong);
    return wrong == 0 && ran == n - 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
