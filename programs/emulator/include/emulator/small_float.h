// A number held in 16 bits. Operations are done in double and rounded once. Not every processor
// knows such numbers, so the bits are put together by hand.
#pragma once

#include <type_traits>

#include "../cuda_runtime.h"

template <int exponent_bits>
struct __align__(2) __emu_small_float {
    static constexpr int fraction_bits = 15 - exponent_bits;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned short bits;

    __emu_small_float() = default;
    __host__ __device__ __emu_small_float(float value) : bits(rounded(value)) {}
    __host__ __device__ explicit __emu_small_float(double value) : bits(rounded(value)) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    __host__ __device__ __emu_small_float(T value) : bits(rounded(double(value))) {}

    __host__ __device__ operator float() const {
        const unsigned magnitude = bits & 0x7fffU, exponent = magnitude >> fraction_bits;
        unsigned wide;  // the same number as a float
        if (exponent == (1U << exponent_bits) - 1)
            wide = 0x7f800000U | magnitude << (23 - fraction_bits);
        else if (exponent == 0 && exponent_bits < 8)
            wide = __builtin_bit_cast(unsigned, float(magnitude * power(1 - bias - fraction_bits)));
        else
            wide = (magnitude << (23 - fraction_bits)) + (unsigned(127 - bias) << 23);
        return __builtin_bit_cast(float, wide | (bits & 0x8000U) << 16);
    }

private:
    /// 2 to the power of `exponent`, for exponents of normal numbers.
    static __host__ __device__ double power(int exponent) {
        return __builtin_bit_cast(double, (unsigned long long)(exponent + 1023) << 52);
    }

    /// The bits of the nearest small number; of two as near, the even one.
    static __host__ __device__ unsigned short rounded(double value) {
        const auto wide = __builtin_bit_cast(unsigned long long, value);
        const auto sign = static_cast<unsigned short>(wide >> 48 & 0x8000U);
        const double magnitude = __builtin_bit_cast(double, wide & ~(1ULL << 63));
        if (magnitude != magnitude) return 0x7fff;
        constexpr unsigned short infinity = ((1U << exponent_bits) - 1) << fraction_bits;
        int exponent = int(wide >> 52 & 0x7ffU) - 1023;
        if (exponent > bias) return sign | infinity;
        if (exponent < 1 - bias) exponent = 1 - bias;
        constexpr double shift =
            4503599627370496.0;  // 2^52: a sum with it has no room for fractions
        volatile double whole = magnitude * power(fraction_bits - exponent) + shift;
        return sign | static_cast<unsigned short>(((exponent + bias - 1) << fraction_bits) +
                                                  int(whole - shift));
    }
};
template <int exponent_bits>
struct __align__(4) __emu_small_float_pair {
    __emu_small_float<exponent_bits> x, y;

    __emu_small_float_pair() = default;
    __host__ __device__ __emu_small_float_pair(__emu_small_float<exponent_bits> low,
                                               __emu_small_float<exponent_bits> high)
        : x(low), y(high) {}
};

#define __EMU_SMALL_FLOAT(name, operation)                                                   \
    template <int E>                                                                         \
    __EMU_DEVICE __emu_small_float<E> name(__emu_small_float<E> a, __emu_small_float<E> b) { \
        return __emu_small_float<E>(double(float(a)) operation double(float(b)));            \
    }
__EMU_SMALL_FLOAT(__hadd, +)
__EMU_SMALL_FLOAT(__hsub, -)
__EMU_SMALL_FLOAT(__hmul, *)
__EMU_SMALL_FLOAT(__hdiv, /)
#undef __EMU_SMALL_FLOAT
#define __EMU_SMALL_FLOAT(symbol)                                                   \
    template <int E>                                                                \
    static __host__ __device__ __inline__ __emu_small_float<E> operator symbol(     \
        __emu_small_float<E> a, __emu_small_float<E> b) {                           \
        return __emu_small_float<E>(double(float(a)) symbol double(float(b)));      \
    }                                                                               \
    template <int E>                                                                \
    static __host__ __device__ __inline__ __emu_small_float<E>& operator symbol## = \
        (__emu_small_float<E> & a, __emu_small_float<E> b) {                        \
        return a = a symbol b;                                                      \
    }
__EMU_SMALL_FLOAT(+)
__EMU_SMALL_FLOAT(-)
__EMU_SMALL_FLOAT(*)
__EMU_SMALL_FLOAT(/)
#undef __EMU_SMALL_FLOAT

// The product is exact. A sum that is not gets an odd last bit, so that the second rounding knows
// of the first.
template <int E>
__EMU_DEVICE __emu_small_float<E> __hfma(__emu_small_float<E> a, __emu_small_float<E> b,
                                         __emu_small_float<E> c) {
    const double product = double(float(a)) * float(b), addend = float(c);
    const double sum = product + addend, part = sum - product;
    const double lost = (product - (sum - part)) + (addend - part);
    auto bits = __builtin_bit_cast(unsigned long long, sum);
    if ((lost > 0 || lost < 0) && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1;
    return __emu_small_float<E>(__builtin_bit_cast(double, bits));
}
