// Does the order of additions change a sum? Yes: every addition rounds. The program
// adds three numbers in two orders, and computes a dot product of four terms in three
// ways: one after the other, one after the other with fused multiply-adds, and in
// pairs. Each way follows IEEE 754, and the results differ.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [sums]
/// Adds three numbers in two orders.
/// @param a, b, c  the numbers
/// @param out      two elements, replaced by the sums
__global__ void sums(float a, float b, float c, float* out) {
    out[0] = (a + b) + c;
    out[1] = a + (b + c);
}
// [/sums]

// [dots]
/// Computes a dot product in three ways.
/// @param a, b  vectors of four elements
/// @param out   three elements, replaced by the dot products
__global__ void dots(float4 a, float4 b, float* out) {
    const float x = __fmul_rn(a.x, b.x), y = __fmul_rn(a.y, b.y);
    const float z = __fmul_rn(a.z, b.z), w = __fmul_rn(a.w, b.w);
    out[0] = __fadd_rn(__fadd_rn(__fadd_rn(x, y), z), w);
    out[1] = fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, x)));
    out[2] = __fadd_rn(__fadd_rn(x, y), __fadd_rn(z, w));
}
// [/dots]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<float> d_sums(2), d_dots(3);
    d_sums.fill_bytes(0xFF);
    d_dots.fill_bytes(0xFF);
    // [values]
    const float x = 1 + 0x1p-23f;
    sums<<<1, 1>>>(2 * x, x, 8 * x, d_sums.data());
    lockstep::check(cudaGetLastError());
    const float4 a{2.4f, 5.0f, 3.6f, 9.7f};
    const float4 b{1.3f, 6.8f, 1.8f, 6.3f};
    dots<<<1, 1>>>(a, b, d_dots.data());
    lockstep::check(cudaGetLastError());
    // [/values]
    const auto sum = d_sums.to_host(), dot = d_dots.to_host();

    const double exact =
        double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z + double(a.w) * b.w;
    std::printf("%-32s%-18a%.9g\n", "(A + B) + C", sum[0], sum[0]);
    std::printf("%-32s%-18a%.9g\n", "A + (B + C)", sum[1], sum[1]);
    std::printf("%-32s%-18a%.9g\n", "dot product, in turn", dot[0], dot[0]);
    std::printf("%-32s%-18a%.9g\n", "dot product, in turn, fused", dot[1], dot[1]);
    std::printf("%-32s%-18a%.9g\n", "dot product, in pairs", dot[2], dot[2]);
    std::printf("%-32s%-18s%.9g\n", "dot product in double", "", exact);

    // floats near 105 are 2^-17 apart; seven roundings are off by half of that at most
    bool right = sum[0] != sum[1];
    for (const float each : dot) right &= std::fabs(each - exact) <= 3.5 * 0x1p-17;
    right &= dot[0] != dot[1] && dot[1] != dot[2] && dot[0] != dot[2];
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
