// __half: held in 16 bits, calculated with as float and rounded after each operation.
#pragma once

#include "cuda_runtime.h"

struct __align__(2) __half {
    unsigned short bits;
    __half() = default;
    __host__ __device__ __half(float value);
    __host__ __device__ operator float() const;
};
__host__ __device__ inline unsigned short __emu_fp16_bits(float value) {
    const _Float16 half = static_cast<_Float16>(value);
    unsigned short bits;
    __builtin_memcpy(&bits, &half, sizeof bits);
    return bits;
}
__host__ __device__ inline float __emu_fp16_value(unsigned short bits) {
    _Float16 half;
    __builtin_memcpy(&half, &bits, sizeof half);
    return static_cast<float>(half);
}
__host__ __device__ inline __half::__half(float value) : bits(__emu_fp16_bits(value)) {}
__host__ __device__ inline __half::operator float() const { return __emu_fp16_value(bits); }
static __host__ __device__ __inline__ float __half2float(__half value) { return float(value); }
static __host__ __device__ __inline__ __half __float2half(float value) { return __half(value); }
static __host__ __device__ __inline__ __half __float2half_rn(float value) { return __half(value); }
__EMU_DEVICE __half __hadd(__half a, __half b) { return __half(float(a) + float(b)); }
__EMU_DEVICE __half __hsub(__half a, __half b) { return __half(float(a) - float(b)); }
__EMU_DEVICE __half __hmul(__half a, __half b) { return __half(float(a) * float(b)); }
__EMU_DEVICE __half __hdiv(__half a, __half b) { return __half(float(a) / float(b)); }
// The exact product and sum fit a double, so that there is one rounding.
__EMU_DEVICE __half __hfma(__half a, __half b, __half c) {
    return __half(float(double(float(a)) * float(b) + float(c)));
}
struct __align__(4) __half2 {
    __half x, y;
};
using half = __half;
using half2 = __half2;
