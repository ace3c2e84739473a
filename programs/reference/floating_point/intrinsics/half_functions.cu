// How accurate are the functions of half and bfloat16? Both types have only 65,536
// values, so each function is called with all of them and compared with the double
// function, rounded once. Printed are the results that are not the nearest value, and
// how far off the worst is.

#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What was found for a function.
struct found {
    int not_nearest, steps, nan_differs, calls;
};

constexpr const char* names[] = {"hrcp",   "hsqrt", "hrsqrt",      "hexp",   "hexp2",
                                 "hexp10", "hlog",  "hlog2",       "hlog10", "hsin",
                                 "hcos",   "htanh", "htanh_approx"};
constexpr int function_count = sizeof names / sizeof names[0];

/// Calls a function of the table.
/// @param function  its place in the table
/// @param x         the argument, half or bfloat16
template <class T>
__device__ T call(int function, T x) {
    switch (function) {
        case 0: return hrcp(x);
        case 1: return hsqrt(x);
        case 2: return hrsqrt(x);
        case 3: return hexp(x);
        case 4: return hexp2(x);
        case 5: return hexp10(x);
        case 6: return hlog(x);
        case 7: return hlog2(x);
        case 8: return hlog10(x);
        case 9: return hsin(x);
        case 10: return hcos(x);
        case 11: return htanh(x);
        default: return htanh_approx(x);
    }
}

/// The same in double.
/// @param function  its place in the table
/// @param x         the argument
__device__ double exact(int function, double x) {
    switch (function) {
        case 0: return 1 / x;
        case 1: return sqrt(x);
        case 2: return rsqrt(x);
        case 3: return exp(x);
        case 4: return exp2(x);
        case 5: return exp10(x);
        case 6: return log(x);
        case 7: return log2(x);
        case 8: return log10(x);
        case 9: return sin(x);
        case 10: return cos(x);
        default: return tanh(x);
    }
}

/// The nearest value of the type of the second argument.
/// @param value  a double
__device__ __half rounded(double value, __half) { return __double2half(value); }
/// The same for bfloat16.
/// @param value  a double
__device__ __nv_bfloat16 rounded(double value, __nv_bfloat16) {
    return __double2bfloat16(value);
}

// [sweep]
/// Calls a function with one of the 65,536 values in each thread.
/// @param function  its place in the table
/// @param all       what was found, in device memory
template <class T>
__global__ void sweep(int function, found* all) {
    const unsigned short bits = blockIdx.x * blockDim.x + threadIdx.x;
    T x;
    memcpy(&x, &bits, sizeof x);
    const T result = call(function, x);
    const T nearest = rounded(exact(function, double(float(x))), T{});
    short a, b;  // their bits, which count upward in the order of the values
    memcpy(&a, &result, sizeof a);
    memcpy(&b, &nearest, sizeof b);
    const int steps = abs((a < 0 ? -32768 - a : a) - (b < 0 ? -32768 - b : b));
    const bool one_is_nan = __hisnan(result) != __hisnan(nearest);
    const bool compared = !__hisnan(result) && !__hisnan(nearest);
    atomicAdd(&all->nan_differs, one_is_nan);
    atomicAdd(&all->not_nearest, compared && steps > 0);
    atomicMax(&all->steps, compared ? steps : 0);
    atomicAdd(&all->calls, 1);
}
// [/sweep]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<found> d_all(1);
    int nan_differs = 0, calls = 0;
    const auto run = [&](void (*kernel)(int, found*), int function) {
        d_all.fill_bytes(0);
        kernel<<<256, 256>>>(function, d_all.data());
        lockstep::check(cudaGetLastError());
        const found all = d_all.to_host()[0];
        nan_differs += all.nan_differs;
        calls += all.calls;
        return all;
    };
    std::printf("%-14s%-24s%s\n", "", "half", "bfloat16");
    std::printf("%-14s%-24s%s\n", "function", "not nearest, values off",
                "not nearest, values off");
    for (int function = 0; function < function_count; ++function) {
        const found half = run(sweep<__half>, function);
        const found bf16 = run(sweep<__nv_bfloat16>, function);
        std::printf("%-14s%11d%12d%12d%12d\n", names[function], half.not_nearest,
                    half.steps, bf16.not_nearest, bf16.steps);
    }
    lockstep::report("calls", calls);
    lockstep::report("NaN in one of the two", nan_differs);
    return calls == 2 * 65536 * function_count ? EXIT_SUCCESS : EXIT_FAILURE;
}
