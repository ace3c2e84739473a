// How wrong are __fdividef and __powf? Random arguments are divided by the size of the
// divisor, and of the power. __fdividef returns 0 for divisors beyond 2^126, and NaN if
// the dividend is infinite, too. __powf is wrong by a hundred ulp and more; its error
// grows with the exponent y and with the size of the result.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Groups of the size of a power, and of its number of digits.
constexpr int group_count = 7;

/// Keeps the larger of a value and an error.
/// @param largest  in device memory, not negative
/// @param found    not negative
__device__ void keep(float* largest, double found) {
    if (!(float(found) > *largest)) return;  // most are smaller: few atomics
    // Floats that are not negative are ordered like their bits.
    atomicMax(reinterpret_cast<unsigned*>(largest), __float_as_uint(float(found)));
}

/// The error of a result in ulp.
/// @param result  a float
/// @param r       the exact value, the size of a normal float
__device__ double in_ulp(float result, double r) {
    return fabs(result - r) / ldexp(1.0, ilogb(r) - 23);
}

// [divide]
/// Divides by random divisors.
/// @param n        number of divisions
/// @param largest  the largest error with divisors up to 2^126, in device memory: in
///                 ulp, and in floats from the correctly rounded quotient
/// @param counts   in device memory: divisors beyond 2^126; among them, results 0; and
///                 results NaN where the dividend is infinite
__global__ void divide(unsigned n, float* largest, unsigned* counts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = __uint_as_float(lockstep::random_word(i, 0));
    const float y = __uint_as_float(lockstep::random_word(i, 1));
    const double r = double(x) / y;
    if (i >= n || !(fabsf(x) >= 0x1p-126f && fabsf(x) < INFINITY)) return;
    if (!(fabsf(y) >= 0x1p-126f && fabsf(y) < INFINITY)) return;
    if (fabsf(y) <= 0x1p126f) {
        const bool normal = fabs(r) >= 0x1p-126 && fabs(r) <= 0x1.fffffep127;
        if (!normal) return;
        const float quotient = __fdividef(x, y), nearest = float(r);
        keep(largest, in_ulp(quotient, r));
        keep(largest + 1, abs(__float_as_int(quotient) - __float_as_int(nearest)));
        return;
    }
    atomicAdd(counts, 1);
    atomicAdd(counts + 1, __fdividef(x, y) == 0);
    atomicAdd(counts + 2, isnan(__fdividef(INFINITY, y)));
}
// [/divide]

/// Raises random bases to random powers.
/// @param n     number of powers
/// @param fast  the largest errors of __powf in ulp, in device memory: one for results
///              below 2^2 and above 2^-2, one up to 2^4, then 2^8, and so on
/// @param slow  the same of powf
__global__ void power(unsigned n, float* fast, float* slow) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned word = lockstep::random_word(i, 0);
    const float x = __uint_as_float((word & 0x7fffff) | (112 + (word >> 27)) << 23);
    const float y = (float(lockstep::random_word(i, 1)) - 0x1p31f) * 0x1p-25f;
    const double r = pow(double(x), double(y));
    if (i >= n || !(r >= 0x1p-126 && r < 0x1p127)) return;
    const int digits = max(abs(ilogb(r)), 1);  // of the result's exponent
    const int group = min(32 - __clz(digits) - 1, group_count - 1);
    keep(fast + group, in_ulp(__powf(x, y), r));
    keep(slow + group, in_ulp(powf(x, y), r));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto stride = options.integer<unsigned>("stride", 1, 1, 1 << 20);
    options.finish();
    lockstep::require_device();
    const unsigned n = (1u << 30) / stride;

    lockstep::device_buffer<float> d_largest(2), d_fast(group_count),
        d_slow(group_count);
    lockstep::device_buffer<unsigned> d_counts(3);
    d_largest.fill_bytes(0);
    d_counts.fill_bytes(0);
    divide<<<(n + 255) / 256, 256>>>(n, d_largest.data(), d_counts.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> counts = d_counts.to_host();
    char text[32];
    const std::vector<float> largest = d_largest.to_host();
    std::snprintf(text, sizeof text, "%.2f", largest[0]);
    lockstep::report("__fdividef, error", text, "ulp");
    lockstep::report("__fdividef, error", int(largest[1]), "floats off");
    lockstep::report("divisors beyond 2^126", counts[0]);
    lockstep::report("  result 0", counts[1]);
    lockstep::report("  infinity / divisor NaN", counts[2]);

    d_fast.fill_bytes(0);
    d_slow.fill_bytes(0);
    power<<<(n + 255) / 256, 256>>>(n, d_fast.data(), d_slow.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> fast = d_fast.to_host(), slow = d_slow.to_host();
    std::printf("\n%-28s%-16s%s\n", "power, or 1 / power", "__powf, ulp", "powf, ulp");
    bool slow_right = true;
    for (int group = 0; group < group_count; ++group) {
        char label[40];
        std::snprintf(label, sizeof label, "2^%d to 2^%d", group ? 1 << group : 0,
                      2 << group);
        std::printf("%-28s%-16.2f%.2f\n", label, fast[group], slow[group]);
        slow_right = slow_right && slow[group] > 0 && slow[group] <= 4.5f;
    }
    return slow_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
