// A number held in 16 bits: calculated with as float, and rounded after each operation. `Format` knows the bits.
#pragma once

#include "../cuda_runtime.h"

template <class Format>
struct __align__(2) __emu_small_float {
    unsigned short bits;
    __emu_small_float() = default;
    __host__ __device__ __emu_small_float(float value) : bits(Format::bits(value)) {}
    __host__ __device__ operator float() const { return Format::value(bits); }
};
template <class Format>
struct __align__(4) __emu_small_float_pair {
    __emu_small_float<Format> x, y;
};

#define __EMU_SMALL_FLOAT(name, operation)                                                                           \
    template <class F>                                                                                               \
    __EMU_DEVICE __emu_small_float<F> name(__emu_small_float<F> a, __emu_small_float<F> b) {                         \
        return __emu_small_float<F>(float(a) operation float(b));                                                    \
    }
__EMU_SMALL_FLOAT(__hadd, +)
__EMU_SMALL_FLOAT(__hsub, -)
__EMU_SMALL_FLOAT(__hmul, *)
__EMU_SMALL_FLOAT(__hdiv, /)
#undef __EMU_SMALL_FLOAT
// The exact product and sum fit a double, so that there is one rounding.
template <class F>
__EMU_DEVICE __emu_small_float<F> __hfma(__emu_small_float<F> a, __emu_small_float<F> b, __emu_small_float<F> c) {
    return __emu_small_float<F>(float(double(float(a)) * float(b) + float(c)));
}
