// Arithmetic that names its rounding, conversions, and functions of mathematics that C++ lacks.
#pragma once

// -- rounded to the nearest, and never contracted

#define __EMU_ROUNDED(name, T, expression) \
    __EMU_DEVICE T name(T a, T b) { _Pragma("clang fp contract(off)") return expression; }
__EMU_ROUNDED(__fadd_rn, float, a + b)
__EMU_ROUNDED(__fsub_rn, float, a - b)
__EMU_ROUNDED(__fmul_rn, float, a* b)
__EMU_ROUNDED(__fdiv_rn, float, a / b)
__EMU_ROUNDED(__dadd_rn, double, a + b)
__EMU_ROUNDED(__dsub_rn, double, a - b)
__EMU_ROUNDED(__dmul_rn, double, a* b)
__EMU_ROUNDED(__ddiv_rn, double, a / b)
#undef __EMU_ROUNDED
__EMU_DEVICE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__EMU_DEVICE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
__EMU_DEVICE float __frcp_rn(float a) { return 1.0F / a; }
__EMU_DEVICE double __drcp_rn(double a) { return 1.0 / a; }
__EMU_DEVICE float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
__EMU_DEVICE double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
__EMU_DEVICE float __frsqrt_rn(float a) { return float(1.0 / __builtin_sqrt(double(a))); }

// -- to whole numbers: what does not fit becomes the nearest that does; what is no number, 0, or
// the upper bit alone where double or 64 bits take part (PTX ISA, cvt)

#define __EMU_WHOLE(from, F, to, T, low, limit, none)                    \
    __EMU_DEVICE T __##from##2##to##_rz(F a) {                           \
        return a != a          ? (T)(none)                               \
               : a >= F(limit) ? (T)(~(T)(low))                          \
               : a <= F(low)   ? (T)(low)                                \
                               : (T)(a);                                 \
    }                                                                    \
    __EMU_DEVICE T __##from##2##to##_rn(F a) {                           \
        return __##from##2##to##_rz(__builtin_elementwise_roundeven(a)); \
    }                                                                    \
    __EMU_DEVICE T __##from##2##to##_ru(F a) {                           \
        return __##from##2##to##_rz(__builtin_elementwise_ceil(a));      \
    }                                                                    \
    __EMU_DEVICE T __##from##2##to##_rd(F a) {                           \
        return __##from##2##to##_rz(__builtin_elementwise_floor(a));     \
    }
#define __EMU_TOP 0x8000000000000000ULL
__EMU_WHOLE(float, float, int, int, -0x7fffffff - 1, 0x1p31, 0)
__EMU_WHOLE(float, float, uint, unsigned, 0, 0x1p32, 0)
__EMU_WHOLE(float, float, ll, long long, -0x7fffffffffffffff - 1, 0x1p63, __EMU_TOP)
__EMU_WHOLE(float, float, ull, unsigned long long, 0, 0x1p64, __EMU_TOP)
__EMU_WHOLE(double, double, int, int, -0x7fffffff - 1, 0x1p31, 0x80000000U)
__EMU_WHOLE(double, double, uint, unsigned, 0, 0x1p32, 0x80000000U)
__EMU_WHOLE(double, double, ll, long long, -0x7fffffffffffffff - 1, 0x1p63, __EMU_TOP)
__EMU_WHOLE(double, double, ull, unsigned long long, 0, 0x1p64, __EMU_TOP)
#undef __EMU_TOP
#undef __EMU_WHOLE

// -- from whole numbers, and between float and double

__EMU_DEVICE float __int2float_rn(int a) { return float(a); }
__EMU_DEVICE float __uint2float_rn(unsigned a) { return float(a); }
__EMU_DEVICE float __ll2float_rn(long long a) { return float(a); }
__EMU_DEVICE float __ull2float_rn(unsigned long long a) { return float(a); }
__EMU_DEVICE double __int2double_rn(int a) { return a; }
__EMU_DEVICE double __uint2double_rn(unsigned a) { return a; }
__EMU_DEVICE double __ll2double_rn(long long a) { return double(a); }
__EMU_DEVICE double __ull2double_rn(unsigned long long a) { return double(a); }
__EMU_DEVICE float __double2float_rn(double a) { return float(a); }
__EMU_DEVICE int __double2hiint(double a) {
    return int(__builtin_bit_cast(unsigned long long, a) >> 32);
}
__EMU_DEVICE int __double2loint(double a) { return int(__builtin_bit_cast(unsigned long long, a)); }
__EMU_DEVICE double __hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, (unsigned long long)unsigned(high) << 32 | unsigned(low));
}

// -- whole numbers

__EMU_DEVICE int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
__EMU_DEVICE int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
__EMU_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
    return unsigned(((unsigned long long)a + b) >> 1);
}
__EMU_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
    return unsigned(((unsigned long long)a + b + 1) >> 1);
}
#define __EMU_EXTREME(name, T, sign) \
    static __host__ __device__ __inline__ T name(const T a, const T b) { return b sign a ? b : a; }
__EMU_EXTREME(umin, unsigned, <)
__EMU_EXTREME(umax, unsigned, >)
__EMU_EXTREME(llmin, long long, <)
__EMU_EXTREME(llmax, long long, >)
__EMU_EXTREME(ullmin, unsigned long long, <)
__EMU_EXTREME(ullmax, unsigned long long, >)
#undef __EMU_EXTREME

// -- mathematics

// Where an error function of x is `wanted`: Halley's method, of which each step triples the digits.
// `slope` is the derivative at x, with the sign that brings x nearer.
#define __EMU_STEP(function, sign)                                                    \
    const double error = function(x) - wanted;                                        \
    const double slope = 1.1283791670955126 * __builtin_exp(-x * x); /* 2/sqrt(pi) */ \
    x -= error / (sign * slope + x * error);
static __host__ __device__ __inline__ double __emu_inverse_erfc(double y) {
    if (!(y > 0 && y < 2)) return y == 0 || y == 2 ? (1 - y) * __builtin_inf() : __builtin_nan("");
    const double wanted = y < 1 ? y : 2 - y, t = __builtin_sqrt(-2 * __builtin_log(wanted / 2));
    double x = 0.7071 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 3; ++i) {
        __EMU_STEP(__builtin_erfc, -1)
    }
    return y < 1 ? x : -x;
}
// 1 - y would lose what a small y has of digits.
static __host__ __device__ __inline__ double __emu_inverse_erf(double wanted) {
    if (!(wanted > -0.5 && wanted < 0.5))
        return wanted < 0 ? -__emu_inverse_erfc(1 + wanted) : __emu_inverse_erfc(1 - wanted);
    double x = 0.8862269254527580 * wanted;
    for (int i = 0; i < 3; ++i) {
        __EMU_STEP(__builtin_erf, 1)
    }
    return x;
}
#undef __EMU_STEP

#define __EMU_BOTH(name, arguments, call)                                                \
    static __host__ __device__ __inline__ float name##f(__EMU_EACH_##arguments(float)) { \
        return float(call);                                                              \
    }                                                                                    \
    static __host__ __device__ __inline__ double name(__EMU_EACH_##arguments(double)) {  \
        return call;                                                                     \
    }
#define __EMU_EACH_1(T) T a
#define __EMU_EACH_2(T) T a, T b
#define __EMU_EACH_3(T) T a, T b, T c
#define __EMU_EACH_4(T) T a, T b, T c, T d
#define __EMU_SQUARES_3 (double(a) * a + double(b) * b + double(c) * c)
#define __EMU_PI 3.14159265358979323846
// Half turns, less whole turns: what is left is exact.
#define __EMU_LEFT (a - 2.0 * __builtin_rint(0.5 * a))
__EMU_BOTH(rcbrt, 1, 1.0 / __builtin_cbrt(a))
__EMU_BOTH(rhypot, 2, 1.0 / __builtin_hypot(a, b))
__EMU_BOTH(norm3d, 3, __builtin_sqrt(__EMU_SQUARES_3))
__EMU_BOTH(rnorm3d, 3, 1.0 / __builtin_sqrt(__EMU_SQUARES_3))
__EMU_BOTH(norm4d, 4, __builtin_sqrt(__EMU_SQUARES_3 + double(d) * d))
__EMU_BOTH(rnorm4d, 4, 1.0 / __builtin_sqrt(__EMU_SQUARES_3 + double(d) * d))
__EMU_BOTH(normcdf, 1, 0.5 * __builtin_erfc(-a / 1.41421356237309504880))
__EMU_BOTH(normcdfinv, 1, -1.41421356237309504880 * __emu_inverse_erfc(2 * double(a)))
__EMU_BOTH(erfcinv, 1, __emu_inverse_erfc(a))
__EMU_BOTH(erfinv, 1, __emu_inverse_erf(a))
__EMU_BOTH(sinpi, 1, __builtin_fabs(__EMU_LEFT) == 1.0 ? 0.0 : __builtin_sin(__EMU_PI * __EMU_LEFT))
__EMU_BOTH(cospi, 1, __builtin_fabs(__EMU_LEFT) == 0.5 ? 0.0 : __builtin_cos(__EMU_PI * __EMU_LEFT))
#undef __EMU_LEFT
#undef __EMU_PI
#undef __EMU_SQUARES_3
#undef __EMU_EACH_1
#undef __EMU_EACH_2
#undef __EMU_EACH_3
#undef __EMU_EACH_4
#undef __EMU_BOTH
static __host__ __device__ __inline__ void sincospif(float a, float* sine, float* cosine) {
    *sine = sinpif(a);
    *cosine = cospif(a);
}
static __host__ __device__ __inline__ void sincospi(double a, double* sine, double* cosine) {
    *sine = sinpi(a);
    *cosine = cospi(a);
}
