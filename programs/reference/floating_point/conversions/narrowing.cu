// What is lost on the way from double to float, and from float to half and bfloat16?
// The suffix of the intrinsic decides in which direction the number is rounded; what is
// too large becomes infinity or the largest number. Two conversions in a row round
// twice.

#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// One number in four rounding modes; each result is exact as a double.
struct rounded {
    double rn, rz, ru, rd;
};

// [to-float]
/// Rounds a double to float.
/// @param x    the number
/// @param out  replaced by the four results
__global__ void to_float(double x, rounded* out) {
    *out = {__double2float_rn(x), __double2float_rz(x), __double2float_ru(x),
            __double2float_rd(x)};
}

/// Rounds a float to half.
/// @param x    the number
/// @param out  replaced by the four results
__global__ void to_half(double x, rounded* out) {
    const float y = static_cast<float>(x);
    *out = {__half2float(__float2half_rn(y)), __half2float(__float2half_rz(y)),
            __half2float(__float2half_ru(y)), __half2float(__float2half_rd(y))};
}
// [/to-float]

/// Rounds a float to bfloat16.
/// @param x    the number
/// @param out  replaced by the four results
__global__ void to_bfloat16(double x, rounded* out) {
    const float y = static_cast<float>(x);
    *out = {__bfloat162float(__float2bfloat16_rn(y)),
            __bfloat162float(__float2bfloat16_rz(y)),
            __bfloat162float(__float2bfloat16_ru(y)),
            __bfloat162float(__float2bfloat16_rd(y))};
}

// [twice]
/// Rounds a double to half at once, and by way of float.
/// @param x    the number
/// @param out  the first two numbers are replaced
__global__ void to_half_twice(double x, rounded* out) {
    out->rn = __half2float(__double2half(x));
    out->rz = __half2float(__float2half_rn(__double2float_rn(x)));
}
// [/twice]

/// Runs a kernel with a number.
rounded run(void (*kernel)(double, rounded*), double x) {
    lockstep::device_buffer<rounded> d_out(1);
    d_out.fill_bytes(0xFF);
    kernel<<<1, 1>>>(x, d_out.data());
    lockstep::check(cudaGetLastError());
    return d_out.to_host()[0];
}

/// Prints the four results; returns whether they are those expected.
bool print(const char* name, rounded found, rounded expected) {
    std::printf("%-24s%15.8g%15.8g%15.8g%15.8g\n", name, found.rn, found.rz, found.ru,
                found.rd);
    return found.rn == expected.rn && found.rz == expected.rz &&
           found.ru == expected.ru && found.rd == expected.rd;
}

int main() {
    lockstep::require_device();

    const double inf = 1e300 * 1e300, largest = 0x1.fffffep127, bfloat_max = 0x1.fep127;
    bool right = true;
    std::printf("%-24s%15s%15s%15s%15s\n", "", "_rn", "_rz", "_ru", "_rd");
    // [numbers]
    right &= print("16777217 to float", run(to_float, 16777217),
                   {16777216, 16777216, 16777218, 16777216});
    right &= print("1e39 to float", run(to_float, 1e39), {inf, largest, inf, largest});
    right &= print("1e-46 to float", run(to_float, 1e-46), {0, 0, 0x1p-149, 0});
    right &= print("2049 to half", run(to_half, 2049), {2048, 2048, 2050, 2048});
    right &= print("-2051 to half", run(to_half, -2051), {-2052, -2050, -2050, -2052});
    right &= print("65519 to half", run(to_half, 65519), {65504, 65504, inf, 65504});
    right &= print("65520 to half", run(to_half, 65520), {inf, 65504, inf, 65504});
    right &= print("257 to bfloat16", run(to_bfloat16, 257), {256, 256, 258, 256});
    right &= print("3.4e38 to bfloat16", run(to_bfloat16, 3.4e38),
                   {inf, bfloat_max, inf, bfloat_max});
    // [/numbers]
    const double between = 2049 + 0x1p-30;  // just above the middle of 2048 and 2050
    const rounded twice = run(to_half_twice, between);
    std::printf("\n%-36s%6g\n", "2049 + 2^-30 to half", twice.rn);
    std::printf("%-36s%6g\n", "2049 + 2^-30 to float, then to half", twice.rz);
    right &= twice.rn == 2050 && twice.rz == 2048;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
