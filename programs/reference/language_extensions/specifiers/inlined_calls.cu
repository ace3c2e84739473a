// Which functions does the compiler inline? A small one by itself. __noinline__ keeps
// the call, __forceinline__ removes it. The PTX has a call instruction for each call
// that stayed.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
__device__ int small(int x) { return 3 * x + 1; }
__device__ __noinline__ int kept(int x) { return 3 * x + 1; }
__device__ __forceinline__ int forced(int x) {
    int steps = 0;
    for (; x > 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}
// [/functions]

/// Calls a function without a word about inlining.
/// @param x  one int in device memory, replaced by the result
__global__ void calls_small(int* x) { *x = small(*x); }

/// Calls a function that stays a function.
/// @param x  one int in device memory, replaced by the result
__global__ void calls_kept(int* x) { *x = kept(*x); }

/// Calls a function that is copied to the place of the call.
/// @param x  one int in device memory, replaced by the result
__global__ void calls_forced(int* x) { *x = forced(*x); }

int main() {
    lockstep::require_device();
    const auto result = [](void (*kernel)(int*)) {
        lockstep::device_buffer<int> d_x(std::vector<int>{27});
        kernel<<<1, 1>>>(d_x.data());
        lockstep::check(cudaGetLastError());
        return d_x.to_host()[0];
    };
    const int of_small = result(calls_small), of_kept = result(calls_kept),
              of_forced = result(calls_forced);
    lockstep::report("3 * 27 + 1, small", of_small);
    lockstep::report("3 * 27 + 1, kept", of_kept);
    lockstep::report("Collatz steps of 27, forced", of_forced);
    return of_small == 82 && of_kept == 82 && of_forced == 111 ? EXIT_SUCCESS
                                                               : EXIT_FAILURE;
}
