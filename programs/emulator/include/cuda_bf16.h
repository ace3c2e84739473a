// __nv_bfloat16: held in 16 bits, calculated with as float and rounded after each operation.
#pragma once

#include "cuda_runtime.h"

struct __align__(2) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(float value);
    __host__ __device__ operator float() const;
};
__host__ __device__ inline unsigned short __emu_bf16_bits(float value) {
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;  // not a number
    return static_cast<unsigned short>((bits + 0x7fffU + (bits >> 16 & 1)) >> 16);  // to nearest, ties to even
}
__host__ __device__ inline float __emu_bf16_value(unsigned short half) {
    const unsigned bits = unsigned(half) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(float value) : bits(__emu_bf16_bits(value)) {}
__host__ __device__ inline __nv_bfloat16::operator float() const { return __emu_bf16_value(bits); }
static __host__ __device__ __inline__ float __bfloat162float(__nv_bfloat16 value) { return float(value); }
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
__EMU_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(a) + float(b)); }
__EMU_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(a) - float(b)); }
__EMU_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(a) * float(b)); }
__EMU_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(a) / float(b)); }
// The exact product and sum fit a double, so that there is one rounding.
__EMU_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __nv_bfloat16(float(double(float(a)) * float(b) + float(c)));
}
struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
