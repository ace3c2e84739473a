// What do -ftz, -prec-div, -prec-sqrt, -fmad and --use_fast_math change? Compiled
// without them, operators and sqrtf round correctly and keep denormal numbers. With
// them, some results differ. The program counts such results among many, and accepts
// any build.

#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Results of one number.
struct results {
    float halved, quotient, root, fused, sine, whole;
};

// [kernel]
/// Computes with one number in each thread.
/// @param n    number of elements
/// @param x    n numbers from 1 to 2
/// @param out  n elements, replaced by the results
__global__ void compute(int n, const float* x, results* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i].halved = x[i] * 0x1p-126f * 0.5f;  // denormal
    out[i].quotient = 1 / x[i];
    out[i].root = sqrtf(x[i]);
    out[i].fused = x[i] * x[i] - 1;
    out[i].sine = sinf(20 * x[i]);
    out[i].whole = truncf(x[i]);  // no flag changes it
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int n = 1 << 16;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + static_cast<float>(i) / n + 0x1p-23f;
    const lockstep::device_buffer<float> d_x(x);
    lockstep::device_buffer<results> d_out(n);
    d_out.fill_bytes(0xFF);
    compute<<<n / 256, 256>>>(n, d_x.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<results> out = d_out.to_host();

    int flushed = 0, quotients = 0, roots = 0, separate = 0, sines = 0, wrong = 0;
    // [compare]
    for (int i = 0; i < n; ++i) {
        const double wide = x[i];  // products and rounded quotients are exact enough
        flushed += out[i].halved == 0;
        quotients += out[i].quotient != static_cast<float>(1 / wide);
        roots += out[i].root != static_cast<float>(std::sqrt(wide));
        separate += out[i].fused != static_cast<float>(wide * wide - 1);
        const double sine = std::sin(static_cast<double>(20 * x[i]));
        sines += !(std::fabs(out[i].sine - sine) <= 2 * 0x1p-23 * std::fabs(sine));
        // [/compare]
        wrong += !(std::fabs(out[i].quotient - 1 / wide) <= 0x1p-22) ||
                 !(std::fabs(out[i].root - std::sqrt(wide)) <= 0x1p-21) ||
                 !(std::fabs(out[i].fused - (wide * wide - 1)) <= 0x1p-21) ||
                 !(std::fabs(out[i].sine - sine) <= 0x1p-14) || out[i].whole != 1;
    }
    lockstep::report("numbers", n);
    lockstep::report("denormals flushed to zero", flushed);
    lockstep::report("quotients rounded wrong", quotients);
    lockstep::report("roots rounded wrong", roots);
    lockstep::report("x * x - 1 rounded twice", separate);
    lockstep::report("sines, error over 2^-22", sines);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
