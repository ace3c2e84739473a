// Which bits hold a number? A kernel converts seven numbers to half, bfloat16, float
// and double, and the program prints the three fields of each: sign, exponent and
// fraction.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Converts numbers to a format.
/// @tparam T      the format
/// @tparam Bits   an unsigned integer of the same size
/// @param values  one number for each thread of the block
/// @param bits    as many elements, replaced by the bits of the converted numbers
template <class T, class Bits>
__global__ void convert(const double* values, Bits* bits) {
    reinterpret_cast<T*>(bits)[threadIdx.x] = T(values[threadIdx.x]);
}
// [/kernel]

/// The fields of a number.
struct fields {
    unsigned long long sign, exponent, fraction;
};

/// Converts on the device and takes the results apart.
/// @param values         numbers to convert
/// @param exponent_bits  of the format
template <class T, class Bits>
std::vector<fields> on_device(const std::vector<double>& values, int exponent_bits) {
    const lockstep::device_buffer<double> d_values(values);
    lockstep::device_buffer<Bits> d_bits(values.size());
    d_bits.fill_bytes(0xFF);
    convert<T>
        <<<1, static_cast<unsigned>(values.size())>>>(d_values.data(), d_bits.data());
    lockstep::check(cudaGetLastError());
    std::vector<fields> all;
    // [fields]
    const int fraction_bits = 8 * sizeof(T) - 1 - exponent_bits;
    for (const Bits bits : d_bits.to_host()) {
        const unsigned long long b = bits, one = 1;
        all.push_back({b >> (fraction_bits + exponent_bits),
                       (b >> fraction_bits) & ((one << exponent_bits) - 1),
                       b & ((one << fraction_bits) - 1)});
    }
    // [/fields]
    return all;
}

int main() {
    lockstep::require_device();

    const char* names[] = {"-192", "1/3", "2^-14", "2^-24", "+0", "-0", "infinity"};
    const std::vector<double> values{-192, 1.0 / 3, 0x1p-14,      0x1p-24,
                                     0,    -0.0,    1e300 * 1e300};
    const auto half = on_device<__half, unsigned short>(values, 5);
    const auto bfloat = on_device<__nv_bfloat16, unsigned short>(values, 8);
    const auto single = on_device<float, unsigned>(values, 8);
    const auto twice = on_device<double, unsigned long long>(values, 11);

    std::printf("%-10s%-12s%-12s%-16s%s\n", "number", "half", "bfloat16", "float",
                "double");
    for (std::size_t i = 0; i < values.size(); ++i)
        std::printf(
            "%-10s%llu %2llu %03llx    %llu %3llu %02llx    "
            "%llu %3llu %06llx    %llu %4llu %013llx\n",
            names[i], half[i].sign, half[i].exponent, half[i].fraction, bfloat[i].sign,
            bfloat[i].exponent, bfloat[i].fraction, single[i].sign, single[i].exponent,
            single[i].fraction, twice[i].sign, twice[i].exponent, twice[i].fraction);

    // -192 is -1.5 times 2 to the power of 7: the exponent field holds the bias and 7
    const bool right = half[0].exponent == 15 + 7 && bfloat[0].exponent == 127 + 7 &&
                       single[0].exponent == 127 + 7 && twice[0].exponent == 1023 + 7 &&
                       single[0].fraction == 1u << 22 && half[3].exponent == 0 &&
                       half[3].fraction == 1 && single[5].sign == 1;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
