// How large, how small and how precise are the number formats of CUDA C++? A kernel
// asks cuda::std::numeric_limits for each type; the program compares the answers with
// the formulas that follow from the numbers of exponent and fraction bits. __float128,
// which GPUs before compute capability 10.0 lack, is measured on the host.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda/std/limits>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// Limits of one format; each is exact as a double.
struct limits {
    double max, epsilon, min, denormal;
};

// [kernel]
/// Asks for the limits of a type.
/// @tparam T   the type
/// @param out  one element, replaced by the limits
template <class T>
__global__ void ask(limits* out) {
    using limit = cuda::std::numeric_limits<T>;
    *out = {double(limit::max()), double(limit::epsilon()), double(limit::min()),
            double(limit::denorm_min())};
}
// [/kernel]

/// Prints the limits of a format, which has all of its codes for numbers, or gives the
/// last exponent or the last code to infinities and NaNs.
/// @param name      of the format
/// @param exponent  number of exponent bits
/// @param fraction  number of fraction bits
/// @param found     what numeric_limits says
/// @param top       largest exponent
/// @param largest   largest significand, from 1 to 2
/// @return whether numeric_limits and the formulas agree
bool print(const char* name, int exponent, int fraction, limits found, int top,
           double largest) {
    const int bias = (1 << (exponent - 1)) - 1;
    std::printf("%-8s%5d%9d%9d%7d%14.6g%9d%9d%11d\n", name, 1 + exponent + fraction,
                exponent, fraction, bias, found.max, std::ilogb(found.epsilon),
                std::ilogb(found.min), std::ilogb(found.denormal));
    return found.max == std::ldexp(largest, top) &&
           found.epsilon == std::ldexp(1, -fraction) &&
           found.min == std::ldexp(1, 1 - bias) &&
           found.denormal == std::ldexp(1, 1 - bias - fraction);
}

/// Asks the device for the limits of a type.
template <class T>
limits device_limits() {
    lockstep::device_buffer<limits> d_limits(1);
    ask<T><<<1, 1>>>(d_limits.data());
    lockstep::check(cudaGetLastError());
    return d_limits.to_host()[0];
}

/// The same for a format that follows IEEE 754: the last exponent is not for numbers.
template <class T>
bool ieee(const char* name, int exponent, int fraction) {
    return print(name, exponent, fraction, device_limits<T>(),
                 (1 << (exponent - 1)) - 1, 2 - std::ldexp(1, -fraction));
}

/// Measures __float128 on the host: the limits are exponents of 2.
bool float128() {
    // [float128]
    int epsilon = 0, denormal = 0, top = 0;
    for (__float128 e = 0.5; 1 + e != 1; e /= 2) --epsilon;
    for (__float128 d = 0.5; d != 0; d /= 2) --denormal;
    for (__float128 m = 2; m != m / 2; m *= 2) ++top;  // infinity is half of itself
    // [/float128]
    const int min = denormal - epsilon;
    const long double max = std::ldexp(2 - std::ldexp(1.0L, -60), top);
    std::printf("%-8s%5d%9d%9d%7d%14.6Lg%9d%9d%11d\n", "float128", 128, 15, -epsilon,
                1 - min, max, epsilon, min, denormal);
    return epsilon == -112 && denormal == -16494 && top == 16383;
}

int main() {
    lockstep::require_device();

    std::printf("%-8s%5s%9s%9s%7s%14s%9s%9s%11s\n", "", "", "", "", "", "", "log2 of",
                "log2 of", "log2 of");
    std::printf("%-8s%5s%9s%9s%7s%14s%9s%9s%11s\n", "", "", "exponent", "fraction", "",
                "", "epsilon", "smallest", "smallest");
    std::printf("%-8s%5s%9s%9s%7s%14s%9s%9s%11s\n", "format", "bits", "bits", "bits",
                "bias", "maximum", "", "normal", "denormal");
    bool agree = true;
    // [formats]
    agree &= print("e2m1", 2, 1, device_limits<__nv_fp4_e2m1>(), 2, 1.5);
    agree &= print("e2m3", 2, 3, device_limits<__nv_fp6_e2m3>(), 2, 1.875);
    agree &= print("e3m2", 3, 2, device_limits<__nv_fp6_e3m2>(), 4, 1.75);
    agree &= print("e4m3", 4, 3, device_limits<__nv_fp8_e4m3>(), 8, 1.75);
    agree &= ieee<__nv_fp8_e5m2>("e5m2", 5, 2);
    agree &= ieee<__half>("half", 5, 10);
    agree &= ieee<__nv_bfloat16>("bfloat16", 8, 7);
    agree &= ieee<float>("float", 8, 23);
    agree &= ieee<double>("double", 11, 52);
    agree &= float128();
    // [/formats]
    std::printf("limits follow from the bits: %s\n", agree ? "yes" : "no");
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
