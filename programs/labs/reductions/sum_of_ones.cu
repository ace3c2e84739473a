// Thirty-two million ones are added up in float. The result depends on the order of the
// additions. One sum that grows one by one stops at 16,777,216, where the next float is
// two away. Many small sums that are added up at the end do not stop.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// One thread adds one by one.
/// @param n       how many ones
/// @param one     the number 1
/// @param result  one float in device memory, written
template <class Number>
__global__ void one_by_one(int n, Number one, float* result) {
    Number sum = 0;
    for (int i = 0; i < n; ++i) sum += one;
    *result = static_cast<float>(sum);
}

/// One thread adds one by one, and carries along what each addition lost (Kahan, 1965).
/// __fadd_rn is a rounded addition that the compiler does not merge with another one.
/// @param n       how many ones
/// @param one     the number 1
/// @param result  one float in device memory, written
__global__ void with_carry(int n, float one, float* result) {
    float sum = 0;
    float carry = 0;
    for (int i = 0; i < n; ++i) {
        const float term = __fadd_rn(one, -carry);
        const float next = __fadd_rn(sum, term);
        carry = __fadd_rn(__fadd_rn(next, -sum), -term);
        sum = next;
    }
    *result = sum;
}

/// Every thread adds its ones to the same sum.
/// @param result  one float in device memory, increased
__global__ void all_to_one(float* result) { atomicAdd(result, 1.0F); }
// [/kernels]

// [tree]
/// Each warp joins its ones first, and each block its warps.
/// @param result  one float in device memory, increased
__global__ void tree(float* result) {
    __shared__ float warps[32];
    float sum = 1;
    for (int width = 16; width > 0; width /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, width);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = warps[threadIdx.x];
    for (int width = 16; width > 0; width /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, width);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}
// [/tree]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 32'768, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 1024;
    const int n = blocks * block_size;
    lockstep::device_buffer<float> result(1);
    const auto shown = [&](const char* name, auto launch) {
        result.fill_bytes(0);
        launch();
        lockstep::check(cudaGetLastError());
        const float sum = result.to_host()[0];
        lockstep::report(name, static_cast<long long>(sum));
        return sum;
    };
    lockstep::report("ones", n);
    const float stalled = shown("float, one by one",
                                [&] { one_by_one<<<1, 1>>>(n, 1.0F, result.data()); });
    shown("float, atomic", [&] { all_to_one<<<blocks, block_size>>>(result.data()); });
    const float joined = shown("float, tree, then atomic",
                               [&] { tree<<<blocks, block_size>>>(result.data()); });
    const float carried = shown("float, Kahan summation",
                                [&] { with_carry<<<1, 1>>>(n, 1.0F, result.data()); });
    const float doubled = shown("double, one by one",
                                [&] { one_by_one<<<1, 1>>>(n, 1.0, result.data()); });
    const auto all = static_cast<float>(n);
    const bool stalls = n > 1 << 24 ? stalled == 0x1p24F : stalled == all;
    return stalls && joined == all && carried == all && doubled == all ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
