// How do the four rounding modes differ? Each intrinsic with the suffix _rn, _rz, _ru
// or _rd rounds its own result: to nearest, toward zero, up, or down. The program
// prints the bits of nine results in each mode and compares them with rounding done on
// the host.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// One result in four rounding modes: nearest, zero, up, down.
struct rounded {
    float rn, rz, ru, rd;
};

// [kernel]
/// Computes nine results in four modes; the inputs are arguments so that the GPU
/// rounds.
/// @param one  1
/// @param e    2^-23, the distance from 1 to the next float
/// @param out  nine elements, replaced by the results
__global__ void compute(float one, float e, rounded* out) {
    const float x = one + e, h = e / 2, three = 3 * one;
#define IN_FOUR_MODES(f, ...)                                          \
    {                                                                  \
        f##_rn(__VA_ARGS__), f##_rz(__VA_ARGS__), f##_ru(__VA_ARGS__), \
            f##_rd(__VA_ARGS__)                                        \
    }
    const rounded results[] = {
        IN_FOUR_MODES(__fadd, one, h),         IN_FOUR_MODES(__fadd, x, h),
        IN_FOUR_MODES(__fsub, -one, h),        IN_FOUR_MODES(__fmul, x, x),
        IN_FOUR_MODES(__fdiv, one, three),     IN_FOUR_MODES(__fdiv, -one, three),
        IN_FOUR_MODES(__frcp, three),          IN_FOUR_MODES(__fsqrt, 2 * one),
        IN_FOUR_MODES(__fmaf, x, x, -e / 1024)};
    for (const rounded& each : results) *out++ = each;
}
// [/kernel]

/// Rounds an exact or nearly exact double in all modes.
rounded round_on_host(double exact) {
    const float nearest = static_cast<float>(exact);
    const float below = nearest > exact ? std::nextafter(nearest, -INFINITY) : nearest;
    const float above = nearest < exact ? std::nextafter(nearest, INFINITY) : nearest;
    return {nearest, exact < 0 ? above : below, above, below};
}

/// The bits of a float.
unsigned bits(float x) {
    unsigned b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

int main() {
    lockstep::require_device();

    const float e = 0x1p-23f;
    const double x = 1.0 + e, h = e / 2.0;
    const char* names[] = {"1 + 2^-24",    "x + 2^-24", "-1 - 2^-24",
                           "x * x",        "1 / 3",     "-1 / 3",
                           "reciprocal 3", "sqrt(2)",   "x * x - 2^-33"};
    const double exact[] = {1 + h,   x + h,          -1 - h,
                            x * x,   1.0 / 3,        -1.0 / 3,
                            1.0 / 3, std::sqrt(2.0), x * x - e / 1024.0};
    lockstep::device_buffer<rounded> d_out(std::size(exact));
    d_out.fill_bytes(0xFF);
    compute<<<1, 1>>>(1, e, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<rounded> found = d_out.to_host();

    std::printf("x = 1 + 2^-23 = %08x\n", bits(static_cast<float>(x)));
    std::printf("%-16s%10s%10s%10s%10s\n", "result", "_rn", "_rz", "_ru", "_rd");
    bool right = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const rounded& f = found[i];
        const rounded wanted = round_on_host(exact[i]);
        std::printf("%-16s%10x%10x%10x%10x\n", names[i], bits(f.rn), bits(f.rz),
                    bits(f.ru), bits(f.rd));
        right &= std::memcmp(&f, &wanted, sizeof f) == 0;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
