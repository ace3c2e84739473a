// What does a conversion from floating point to an integer do with fractions, with
// numbers that do not fit, and with NaNs? The suffix of the intrinsic decides how a
// fraction is rounded. What does not fit becomes the nearest integer of the type; a NaN
// becomes 0, or the highest bit alone where a double or 64 bits take part.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// What one number is converted to.
struct whole {
    int rn, rz, ru, rd;
    unsigned positive;
    long long wide;
    int from_double;
};

// [kernel]
/// Converts a number for each thread.
/// @param values  one number for each thread of the block
/// @param out     as many elements, replaced by the integers
__global__ void convert(const float* values, whole* out) {
    const float x = values[threadIdx.x];
    whole& to = out[threadIdx.x];
    to.rn = __float2int_rn(x);  // to nearest, of two as near the even one
    to.rz = __float2int_rz(x);  // toward zero
    to.ru = __float2int_ru(x);  // up
    to.rd = __float2int_rd(x);  // down
    to.positive = __float2uint_rz(x);
    to.wide = __float2ll_rz(x);
    to.from_double = __double2int_rz(x);
}
// [/kernel]

int main() {
    lockstep::require_device();

    const float big = 1e38f, infinity = big * 10, nan = infinity - infinity;
    const char* names[] = {"1.5",  "2.5",  "-1.5",     "3e9",
                           "-3e9", "1e20", "infinity", "NaN"};
    const std::vector<float> values{1.5f,  2.5f,  -1.5f,    3e9f,
                                    -3e9f, 1e20f, infinity, nan};
    const unsigned n = static_cast<unsigned>(values.size());
    const lockstep::device_buffer<float> d_values(values);
    lockstep::device_buffer<whole> d_out(n);
    d_out.fill_bytes(0x55);
    convert<<<1, n>>>(d_values.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<whole> out = d_out.to_host();

    constexpr int int_max = 0x7fffffff, int_min = -int_max - 1;
    constexpr long long ll_max = 0x7fffffffffffffff, ll_min = -ll_max - 1;
    const whole expected[] = {
        {2, 1, 2, 1, 1, 1, 1},
        {2, 2, 3, 2, 2, 2, 2},
        {-2, -1, -1, -2, 0, -1, -1},
        {int_max, int_max, int_max, int_max, 3000000000, 3000000000, int_max},
        {int_min, int_min, int_min, int_min, 0, -3000000000, int_min},
        {int_max, int_max, int_max, int_max, 0xffffffff, ll_max, int_max},
        {int_max, int_max, int_max, int_max, 0xffffffff, ll_max, int_max},
        {0, 0, 0, 0, 0, ll_min, int_min}};
    const auto same = [](const whole& a, const whole& b) {
        return a.rn == b.rn && a.rz == b.rz && a.ru == b.ru && a.rd == b.rd &&
               a.positive == b.positive && a.wide == b.wide &&
               a.from_double == b.from_double;
    };
    bool right = true;
    std::printf("%-9s %11s %11s %11s %11s\n", "", "int_rn", "int_rz", "int_ru",
                "int_rd");
    for (unsigned i = 0; i < n; ++i) {
        std::printf("%-9s %11d %11d %11d %11d\n", names[i], out[i].rn, out[i].rz,
                    out[i].ru, out[i].rd);
        right &= same(out[i], expected[i]);
    }
    std::printf("%-9s %11s %20s %19s\n", "", "uint_rz", "ll_rz", "double to int_rz");
    for (unsigned i = 0; i < n; ++i)
        std::printf("%-9s %11u %20lld %19d\n", names[i], out[i].positive, out[i].wide,
                    out[i].from_double);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
