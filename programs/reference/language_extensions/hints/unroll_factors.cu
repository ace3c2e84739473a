// What does #pragma unroll change? The number of copies of the loop's body. Here the
// body has one multiply-add, so the multiply-adds in the PTX count the copies.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [body]
/// One step of Horner's rule.
__device__ float step(float sum, const float* x, int i) { return sum * x[0] + x[i]; }
// [/body]

// [kernels]
/// 16 iterations, no pragma.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void few(const float* x, float* y, [[maybe_unused]] int n) {
    float sum = 0;
    for (int i = 0; i < 16; ++i) sum = step(sum, x, i);
    *y = sum;
}

/// 600 iterations, no pragma.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void many(const float* x, float* y, [[maybe_unused]] int n) {
    float sum = 0;
    for (int i = 0; i < 600; ++i) sum = step(sum, x, i);
    *y = sum;
}

/// 600 iterations, all unrolled.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void many_unrolled(const float* x, float* y, [[maybe_unused]] int n) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 600; ++i) sum = step(sum, x, i);
    *y = sum;
}

/// 16 iterations, none unrolled.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void few_by_1(const float* x, float* y, [[maybe_unused]] int n) {
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < 16; ++i) sum = step(sum, x, i);
    *y = sum;
}

/// A number of iterations that the compiler does not know, no pragma.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void unknown(const float* x, float* y, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum = step(sum, x, i);
    *y = sum;
}

constexpr int factor = 4;

/// The same, with twice a constant as the factor.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void unknown_by_8(const float* x, float* y, int n) {
    float sum = 0;
#pragma unroll 2 * factor
    for (int i = 0; i < n; ++i) sum = step(sum, x, i);
    *y = sum;
}

/// The same, none unrolled.
/// @param x  at least as many floats in device memory
/// @param y  one float in device memory, written
/// @param n  number of iterations, where it is not a constant
__global__ void unknown_by_1(const float* x, float* y, int n) {
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; ++i) sum = step(sum, x, i);
    *y = sum;
}
// [/kernels]

#ifdef REFUSED
// [ignored]
/// Factors that the compiler ignores, with a warning.
/// @param y  four floats in device memory, updated
__global__ void ignored(float* y) {
#pragma unroll 0
    for (int i = 0; i < 4; ++i) y[i] += 1;
#pragma unroll - 1
    for (int i = 0; i < 4; ++i) y[i] += 2;
#pragma unroll 4294967296
    for (int i = 0; i < 4; ++i) y[i] += 3;
}
// [/ignored]
#endif

int main() {
    lockstep::require_device();
    struct variant {
        void (*kernel)(const float*, float*, int);
        int iterations;
    };
    int wrong = 0, kernels = 0;
    std::vector<float> x(600);
    for (int i = 0; i < 600; ++i) x[i] = static_cast<float>(i % 5 - 2);
    x[0] = -1;  // sums stay small, and so exact
    const lockstep::device_buffer<float> d_x(x);
    lockstep::device_buffer<float> d_y(1);
    for (const variant& one :
         {variant{few, 16}, variant{many, 600}, variant{many_unrolled, 600},
          variant{few_by_1, 16}, variant{unknown, 37}, variant{unknown_by_8, 37},
          variant{unknown_by_1, 37}}) {
        d_y.fill_bytes(0xFF);
        one.kernel<<<1, 1>>>(d_x.data(), d_y.data(), one.iterations);
        lockstep::check(cudaGetLastError());
        float sum = 0;
        for (int i = 0; i < one.iterations; ++i) sum = sum * x[0] + x[i];
        wrong += d_y.to_host()[0] != sum;
        ++kernels;
    }
    lockstep::report("kernels", kernels);
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
