// Is a * b + c rounded once or twice? nvcc contracts it to a fused multiply-add, which
// rounds once, unless -fmad=false is given. fmaf is always fused, and __fmul_rn with
// __fadd_rn is always separate. For x = 1 + 2^-23, x * x - (1 + 2^-22) is 2^-46 fused,
// and 0 with two roundings.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Multiplies and adds with operators.
/// @param a, b, c  the operands
/// @param out      replaced by a * b + c
__global__ void operators(float a, float b, float c, float* out) { *out = a * b + c; }

/// Multiplies and adds with one rounding.
/// @param a, b, c  the operands
/// @param out      replaced by a * b + c
__global__ void fused(float a, float b, float c, float* out) { *out = fmaf(a, b, c); }

/// Multiplies and adds with two roundings.
/// @param a, b, c  the operands
/// @param out      replaced by the rounded sum of the rounded product and c
__global__ void separate(float a, float b, float c, float* out) {
    *out = __fadd_rn(__fmul_rn(a, b), c);
}
// [/kernels]

/// Runs a kernel with the three operands.
float run(void (*kernel)(float, float, float, float*)) {
    lockstep::device_buffer<float> d_out(1);
    d_out.fill_bytes(0xFF);
    const float x = 1 + 0x1p-23f;
    kernel<<<1, 1>>>(x, x, -(1 + 0x1p-22f), d_out.data());
    lockstep::check(cudaGetLastError());
    return d_out.to_host()[0];
}

/// Rounds to five decimal digits, as a machine that computes in decimals would.
double five_digits(double x) {
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(x))) - 4);
    return std::round(x / unit) * unit;
}

int main() {
    lockstep::require_device();

    const float plain = run(operators), once = run(fused), twice = run(separate);
    // [decimal]
    const double y = 1.0008;
    const double decimal_once = five_digits(y * y - 1);
    const double decimal_twice = five_digits(five_digits(y * y) - 1);
    // [/decimal]

    lockstep::report("a * b + c", plain != 0 ? "2^-46" : "0");
    lockstep::report("fmaf", once != 0 ? "2^-46" : "0");
    lockstep::report("__fmul_rn, __fadd_rn", twice != 0 ? "2^-46" : "0");
    std::printf("%-28s%.4e\n", "5 decimal digits, fused", decimal_once);
    std::printf("%-28s%.4e\n", "5 decimal digits, separate", decimal_twice);
    const bool right =
        once == 0x1p-46f && twice == 0 && (plain == once || plain == twice);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
