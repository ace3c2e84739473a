// What does #pragma nv_abi change? The number of registers that a called function
// leaves as they were. Here a kernel keeps 40 values through a call by pointer. With 48
// registers preserved, the values stay in registers.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

using function = int (*)(int);
constexpr int kept = 40;

// [functions]
__device__ __noinline__ int triple(int x) { return 3 * x; }

#pragma nv_abi preserve_n_data(48)
__device__ __noinline__ int triple_and_keep(int x) { return 3 * x; }

__device__ function by_default, with_pragma;

/// Stores the addresses of both.
__global__ void store_addresses() {
    by_default = triple;
    with_pragma = triple_and_keep;
}
// [/functions]

// [kernels]
/// Keeps 40 values through a call with the usual convention.
/// @param x  40 ints in device memory, updated
__global__ void call(int* x) {
    int values[kept], result;
#pragma unroll
    for (int i = 0; i < kept; ++i) values[i] = x[i];
    result = by_default(values[0]);
#pragma unroll
    for (int i = 0; i < kept; ++i) x[i] = values[i] + result;
}

/// The same, where the function preserves 48 registers.
/// @param x  40 ints in device memory, updated
__global__ void call_and_keep(int* x) {
    int values[kept], result;
#pragma unroll
    for (int i = 0; i < kept; ++i) values[i] = x[i];
#pragma nv_abi preserve_n_data(48)
    result = with_pragma(values[0]);
#pragma unroll
    for (int i = 0; i < kept; ++i) x[i] = values[i] + result;
}
// [/kernels]

int main() {
    lockstep::require_device(80);
    store_addresses<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    int wrong = 0;
    std::vector<int> x(kept);
    for (int i = 0; i < kept; ++i) x[i] = i + 5;
    for (const auto kernel : {call, call_and_keep}) {
        lockstep::device_buffer<int> d_x(x);
        kernel<<<1, 1>>>(d_x.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> found = d_x.to_host();
        for (int i = 0; i < kept; ++i) wrong += found[i] != x[i] + 15;
    }
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
