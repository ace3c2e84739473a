// Arithmetic, comparisons and functions of numbers of 16 bits, and of pairs of them. A pair is two
// numbers: each operation is that of its halves.
#pragma once

#include "small_float.h"

#define __EMU_EITHER static __host__ __device__ __inline__

// -- one number

template <int E>
__EMU_EITHER bool __hisnan(__emu_small_float<E> a) {
    return float(a) != float(a);
}
template <int E>
__EMU_EITHER int __hisinf(__emu_small_float<E> a) {
    return float(a) == __builtin_inff() ? 1 : float(a) == -__builtin_inff() ? -1 : 0;
}
template <int E>
__EMU_EITHER __emu_small_float<E> __emu_from_bits(unsigned bits) {
    __emu_small_float<E> a;
    a.bits = static_cast<unsigned short>(bits);
    return a;
}
template <int E>
__EMU_EITHER __emu_small_float<E> __hneg(__emu_small_float<E> a) {
    return __emu_from_bits<E>(a.bits ^ 0x8000U);
}
template <int E>
__EMU_EITHER __emu_small_float<E> operator-(__emu_small_float<E> a) {
    return __hneg(a);
}
template <int E>
__EMU_EITHER __emu_small_float<E> __habs(__emu_small_float<E> a) {
    return __emu_from_bits<E>(a.bits & 0x7fffU);
}
/// From 0 to 1; what is no number becomes 0.
template <int E>
__EMU_EITHER __emu_small_float<E> __emu_saturated(__emu_small_float<E> a) {
    return float(a) > 1 ? __emu_small_float<E>(1.0F) : float(a) > 0 ? a : __emu_from_bits<E>(0);
}
template <int E>
__EMU_EITHER __emu_small_float<E> __emu_positive(__emu_small_float<E> a) {
    return float(a) < 0 ? __emu_from_bits<E>(0) : a;
}

// The greater and the smaller: of a number and what is none the number, or with _nan what is none;
// of two zeros the positive one is the greater.
template <int E>
__EMU_EITHER __emu_small_float<E> __hmax(__emu_small_float<E> a, __emu_small_float<E> b) {
    if (__hisnan(a)) return __hisnan(b) ? __emu_from_bits<E>(0x7fff) : b;
    if (float(a) == float(b)) return __emu_from_bits<E>(a.bits & b.bits);
    return __hisnan(b) || float(a) > float(b) ? a : b;
}
template <int E>
__EMU_EITHER __emu_small_float<E> __hmin(__emu_small_float<E> a, __emu_small_float<E> b) {
    if (__hisnan(a)) return __hisnan(b) ? __emu_from_bits<E>(0x7fff) : b;
    if (float(a) == float(b)) return __emu_from_bits<E>(a.bits | b.bits);
    return __hisnan(b) || float(a) < float(b) ? a : b;
}
template <int E>
__EMU_EITHER __emu_small_float<E> __hmax_nan(__emu_small_float<E> a, __emu_small_float<E> b) {
    return __hisnan(a) || __hisnan(b) ? __emu_from_bits<E>(0x7fff) : __hmax(a, b);
}
template <int E>
__EMU_EITHER __emu_small_float<E> __hmin_nan(__emu_small_float<E> a, __emu_small_float<E> b) {
    return __hisnan(a) || __hisnan(b) ? __emu_from_bits<E>(0x7fff) : __hmin(a, b);
}

// With u, a comparison also holds if one is no number.
#define __EMU_COMPARED(name, symbol)                                                    \
    template <int E>                                                                    \
    __EMU_EITHER bool name(__emu_small_float<E> a, __emu_small_float<E> b) {            \
        return float(a) symbol float(b) && !__hisnan(a) && !__hisnan(b);                \
    }                                                                                   \
    template <int E>                                                                    \
    __EMU_EITHER bool name##u(__emu_small_float<E> a, __emu_small_float<E> b) {         \
        return float(a) symbol float(b) || __hisnan(a) || __hisnan(b);                  \
    }                                                                                   \
    template <int E>                                                                    \
    __EMU_EITHER bool operator symbol(__emu_small_float<E> a, __emu_small_float<E> b) { \
        return float(a) symbol float(b);                                                \
    }
__EMU_COMPARED(__heq, ==)
__EMU_COMPARED(__hne, !=)
__EMU_COMPARED(__hlt, <)
__EMU_COMPARED(__hle, <=)
__EMU_COMPARED(__hgt, >)
__EMU_COMPARED(__hge, >=)
#undef __EMU_COMPARED

// Functions: computed in double, and rounded once.
#define __EMU_FUNCTION(name, expression)                             \
    template <int E>                                                 \
    __EMU_DEVICE __emu_small_float<E> name(__emu_small_float<E> h) { \
        const double a = float(h);                                   \
        return __emu_small_float<E>(double(expression));             \
    }
__EMU_FUNCTION(hsqrt, __builtin_sqrt(a))
__EMU_FUNCTION(hrsqrt, 1 / __builtin_sqrt(a))
__EMU_FUNCTION(hrcp, 1 / a)
__EMU_FUNCTION(hexp, __builtin_exp(a))
__EMU_FUNCTION(hexp2, __builtin_exp2(a))
__EMU_FUNCTION(hexp10, __builtin_pow(10.0, a))
__EMU_FUNCTION(hlog, __builtin_log(a))
__EMU_FUNCTION(hlog2, __builtin_log2(a))
__EMU_FUNCTION(hlog10, __builtin_log10(a))
__EMU_FUNCTION(hsin, __builtin_sin(a))
__EMU_FUNCTION(hcos, __builtin_cos(a))
__EMU_FUNCTION(htanh, __builtin_tanh(a))
__EMU_FUNCTION(hceil, __builtin_elementwise_ceil(a))
__EMU_FUNCTION(hfloor, __builtin_elementwise_floor(a))
__EMU_FUNCTION(htrunc, __builtin_elementwise_trunc(a))
__EMU_FUNCTION(hrint, __builtin_elementwise_roundeven(a))
#undef __EMU_FUNCTION

#define __EMU_VARIANTS(name)                                                                       \
    template <int E>                                                                               \
    __EMU_DEVICE __emu_small_float<E> name##_rn(__emu_small_float<E> a, __emu_small_float<E> b) {  \
        return name(a, b);                                                                         \
    }                                                                                              \
    template <int E>                                                                               \
    __EMU_DEVICE __emu_small_float<E> name##_sat(__emu_small_float<E> a, __emu_small_float<E> b) { \
        return __emu_saturated(name(a, b));                                                        \
    }
__EMU_VARIANTS(__hadd)
__EMU_VARIANTS(__hsub)
__EMU_VARIANTS(__hmul)
#undef __EMU_VARIANTS
template <int E>
__EMU_DEVICE __emu_small_float<E> __hfma_sat(__emu_small_float<E> a, __emu_small_float<E> b,
                                             __emu_small_float<E> c) {
    return __emu_saturated(__hfma(a, b, c));
}
template <int E>
__EMU_DEVICE __emu_small_float<E> __hfma_relu(__emu_small_float<E> a, __emu_small_float<E> b,
                                              __emu_small_float<E> c) {
    return __emu_positive(__hfma(a, b, c));
}

// -- pairs

#define __EMU_PAIR __emu_small_float_pair<E>
#define __EMU_OF_TWO(name, one)                                \
    template <int E>                                           \
    __EMU_DEVICE __EMU_PAIR name(__EMU_PAIR a, __EMU_PAIR b) { \
        return {one(a.x, b.x), one(a.y, b.y)};                 \
    }
#define __EMU_OF_ONE(name, one)                  \
    template <int E>                             \
    __EMU_DEVICE __EMU_PAIR name(__EMU_PAIR a) { \
        return {one(a.x), one(a.y)};             \
    }
__EMU_OF_TWO(__hadd2, __hadd)
__EMU_OF_TWO(__hsub2, __hsub)
__EMU_OF_TWO(__hmul2, __hmul)
__EMU_OF_TWO(__h2div, __hdiv)
__EMU_OF_TWO(__hadd2_rn, __hadd)
__EMU_OF_TWO(__hsub2_rn, __hsub)
__EMU_OF_TWO(__hmul2_rn, __hmul)
__EMU_OF_TWO(__hadd2_sat, __hadd_sat)
__EMU_OF_TWO(__hsub2_sat, __hsub_sat)
__EMU_OF_TWO(__hmul2_sat, __hmul_sat)
__EMU_OF_TWO(__hmax2, __hmax)
__EMU_OF_TWO(__hmin2, __hmin)
__EMU_OF_TWO(__hmax2_nan, __hmax_nan)
__EMU_OF_TWO(__hmin2_nan, __hmin_nan)
__EMU_OF_ONE(__hneg2, __hneg)
__EMU_OF_ONE(__habs2, __habs)
__EMU_OF_ONE(h2sqrt, hsqrt)
__EMU_OF_ONE(h2rsqrt, hrsqrt)
__EMU_OF_ONE(h2rcp, hrcp)
__EMU_OF_ONE(h2exp, hexp)
__EMU_OF_ONE(h2exp2, hexp2)
__EMU_OF_ONE(h2exp10, hexp10)
__EMU_OF_ONE(h2log, hlog)
__EMU_OF_ONE(h2log2, hlog2)
__EMU_OF_ONE(h2log10, hlog10)
__EMU_OF_ONE(h2sin, hsin)
__EMU_OF_ONE(h2cos, hcos)
__EMU_OF_ONE(h2tanh, htanh)
__EMU_OF_ONE(h2ceil, hceil)
__EMU_OF_ONE(h2floor, hfloor)
__EMU_OF_ONE(h2trunc, htrunc)
__EMU_OF_ONE(h2rint, hrint)
#undef __EMU_OF_TWO
#undef __EMU_OF_ONE
template <int E>
__EMU_DEVICE __EMU_PAIR __hfma2(__EMU_PAIR a, __EMU_PAIR b, __EMU_PAIR c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <int E>
__EMU_DEVICE __EMU_PAIR __hfma2_sat(__EMU_PAIR a, __EMU_PAIR b, __EMU_PAIR c) {
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
template <int E>
__EMU_DEVICE __EMU_PAIR __hfma2_relu(__EMU_PAIR a, __EMU_PAIR b, __EMU_PAIR c) {
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}

// A comparison of pairs gives 1 or 0 for each half, with b whether it holds for both, and with mask
// all bits of a half or none.
#define __EMU_COMPARED(kind, one)                                                 \
    template <int E>                                                              \
    __EMU_DEVICE __EMU_PAIR __h##kind##2(__EMU_PAIR a, __EMU_PAIR b) {            \
        return {float(one(a.x, b.x)), float(one(a.y, b.y))};                      \
    }                                                                             \
    template <int E>                                                              \
    __EMU_DEVICE bool __hb##kind##2(__EMU_PAIR a, __EMU_PAIR b) {                 \
        return one(a.x, b.x) && one(a.y, b.y);                                    \
    }                                                                             \
    template <int E>                                                              \
    __EMU_DEVICE unsigned __h##kind##2_mask(__EMU_PAIR a, __EMU_PAIR b) {         \
        return (one(a.x, b.x) ? 0xffffU : 0) | (one(a.y, b.y) ? 0xffff0000U : 0); \
    }
#define __EMU_COMPARED_BOTH(kind) \
    __EMU_COMPARED(kind, __h##kind) __EMU_COMPARED(kind##u, __h##kind##u)
__EMU_COMPARED_BOTH(eq)
__EMU_COMPARED_BOTH(ne)
__EMU_COMPARED_BOTH(lt)
__EMU_COMPARED_BOTH(le)
__EMU_COMPARED_BOTH(gt)
__EMU_COMPARED_BOTH(ge)
#undef __EMU_COMPARED_BOTH
#undef __EMU_COMPARED

#define __EMU_OPERATOR(symbol)                                                    \
    template <int E>                                                              \
    __EMU_EITHER __EMU_PAIR operator symbol(__EMU_PAIR a, __EMU_PAIR b) {         \
        return {a.x symbol b.x, a.y symbol b.y};                                  \
    }                                                                             \
    template <int E>                                                              \
    __EMU_EITHER __EMU_PAIR& operator symbol## = (__EMU_PAIR & a, __EMU_PAIR b) { \
        return a = a symbol b;                                                    \
    }
__EMU_OPERATOR(+)
__EMU_OPERATOR(-)
__EMU_OPERATOR(*)
__EMU_OPERATOR(/)
#undef __EMU_OPERATOR
template <int E>
__EMU_EITHER __EMU_PAIR operator-(__EMU_PAIR a) {
    return {__hneg(a.x), __hneg(a.y)};
}
template <int E>
__EMU_EITHER bool operator==(__EMU_PAIR a, __EMU_PAIR b) {
    return a.x == b.x && a.y == b.y;
}
template <int E>
__EMU_EITHER bool operator!=(__EMU_PAIR a, __EMU_PAIR b) {
    return a.x != b.x && a.y != b.y;  // as cuda_fp16.hpp has it: for both halves
}
template <int E>
__EMU_EITHER float __low2float(__EMU_PAIR a) {
    return float(a.x);
}
template <int E>
__EMU_EITHER float __high2float(__EMU_PAIR a) {
    return float(a.y);
}
template <int E>
__EMU_EITHER __EMU_PAIR __lowhigh2highlow(__EMU_PAIR a) {
    return {a.y, a.x};
}

// -- atomic additions: of a pair, each half by itself

template <int E>
__EMU_DEVICE __emu_small_float<E> atomicAdd(__emu_small_float<E>* place, __emu_small_float<E> value,
                                            __EMU_PLACE) {
    auto* const bits = reinterpret_cast<unsigned short*>(place);
    unsigned short found = atomicCAS(bits, (unsigned short)0, (unsigned short)0, file, line);
    while (true) {
        const __emu_small_float<E> old = __emu_from_bits<E>(found);
        const unsigned short before = atomicCAS(bits, found, __hadd(old, value).bits, file, line);
        if (before == found) return old;
        found = before;
    }
}
template <int E>
__EMU_DEVICE __EMU_PAIR atomicAdd(__EMU_PAIR* place, __EMU_PAIR value, __EMU_PLACE) {
    return {atomicAdd(&place->x, value.x, file, line), atomicAdd(&place->y, value.y, file, line)};
}

// -- what bears the name of its type: S is that of one number in conversions, P of a pair

#define __EMU_SMALL_FLOAT_NAMES(E, S, P, SHORT)                                                   \
    __EMU_EITHER __emu_small_float<E> __ushort_as_##S(unsigned short a) {                         \
        return __emu_from_bits<E>(a);                                                             \
    }                                                                                             \
    __EMU_EITHER __emu_small_float<E> __short_as_##S(short a) { return __emu_from_bits<E>(a); }   \
    __EMU_EITHER unsigned short __##S##_as_ushort(__emu_small_float<E> a) { return a.bits; }      \
    __EMU_EITHER short __##S##_as_short(__emu_small_float<E> a) { return short(a.bits); }         \
    __EMU_EITHER __emu_small_float<E> __double2##S(double a) { return __emu_small_float<E>(a); }  \
    __EMU_EITHER __emu_small_float_pair<E> __float2##P##_rn(float a) { return {a, a}; }           \
    __EMU_EITHER __emu_small_float_pair<E> __floats2##P##_rn(float a, float b) { return {a, b}; } \
    __EMU_EITHER __emu_small_float_pair<E> __float22##P##_rn(float2 a) { return {a.x, a.y}; }     \
    __EMU_EITHER float2 __##P##2float2(__emu_small_float_pair<E> a) { return {a.x, a.y}; }        \
    __EMU_EITHER __emu_small_float_pair<E> __##S##2##P(__emu_small_float<E> a) { return {a, a}; } \
    __EMU_EITHER __emu_small_float_pair<E> __halves2##P(__emu_small_float<E> a,                   \
                                                        __emu_small_float<E> b) {                 \
        return {a, b};                                                                            \
    }                                                                                             \
    __EMU_EITHER __emu_small_float_pair<E> make_##SHORT##2(__emu_small_float<E> a,                \
                                                           __emu_small_float<E> b) {              \
        return {a, b};                                                                            \
    }                                                                                             \
    __EMU_EITHER __emu_small_float<E> __low2##S(__emu_small_float_pair<E> a) { return a.x; }      \
    __EMU_EITHER __emu_small_float<E> __high2##S(__emu_small_float_pair<E> a) { return a.y; }     \
    __EMU_EITHER __emu_small_float_pair<E> __low2##P(__emu_small_float_pair<E> a) {               \
        return {a.x, a.x};                                                                        \
    }                                                                                             \
    __EMU_EITHER __emu_small_float_pair<E> __high2##P(__emu_small_float_pair<E> a) {              \
        return {a.y, a.y};                                                                        \
    }                                                                                             \
    __EMU_EITHER __emu_small_float_pair<E> __lows2##P(__emu_small_float_pair<E> a,                \
                                                      __emu_small_float_pair<E> b) {              \
        return {a.x, b.x};                                                                        \
    }                                                                                             \
    __EMU_EITHER __emu_small_float_pair<E> __highs2##P(__emu_small_float_pair<E> a,               \
                                                       __emu_small_float_pair<E> b) {             \
        return {a.y, b.y};                                                                        \
    }                                                                                             \
    __EMU_SMALL_FLOAT_WHOLE(E, S, int, int)                                                       \
    __EMU_SMALL_FLOAT_WHOLE(E, S, uint, unsigned)                                                 \
    __EMU_SMALL_FLOAT_WHOLE(E, S, ll, long long)                                                  \
    __EMU_SMALL_FLOAT_WHOLE(E, S, ull, unsigned long long)

// A whole number of up to 53 bits is exact in double, and so rounded once; a longer one is cut to
// 53 bits with an odd last one where something was lost.
#define __EMU_SMALL_FLOAT_ROUNDED(E, S, to, T, how) \
    __EMU_DEVICE T __##S##2##to##how(__emu_small_float<E> a) { return __float2##to##how(float(a)); }
#define __EMU_SMALL_FLOAT_WHOLE(E, S, to, T)                                       \
    __EMU_SMALL_FLOAT_ROUNDED(E, S, to, T, _rz)                                    \
    __EMU_SMALL_FLOAT_ROUNDED(E, S, to, T, _rn)                                    \
    __EMU_SMALL_FLOAT_ROUNDED(E, S, to, T, _ru)                                    \
    __EMU_SMALL_FLOAT_ROUNDED(E, S, to, T, _rd)                                    \
    __EMU_EITHER __emu_small_float<E> __##to##2##S##_rn(T a) {                     \
        const unsigned long long size = a < 0 ? 0 - (unsigned long long)a : a;     \
        const unsigned long long odd = (size & 0x7ff) != 0 ? 0x800 : 0;            \
        const double value = double(size >> 53 ? (size & ~0x7ffULL) | odd : size); \
        return __emu_small_float<E>(a < 0 ? -value : value);                       \
    }
