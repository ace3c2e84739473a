// __nv_bfloat16: a number of 16 bits.
#pragma once

#include "emulator/small_float.h"

struct __emu_bf16 {
    static __host__ __device__ unsigned short bits(float value) {
        unsigned bits;
        __builtin_memcpy(&bits, &value, sizeof bits);
        if ((bits & 0x7fffffffU) > 0x7f800000U) return 0x7fff;  // not a number
        return static_cast<unsigned short>((bits + 0x7fffU + (bits >> 16 & 1)) >> 16);  // to nearest, ties to even
    }
    static __host__ __device__ float value(unsigned short half) {
        const unsigned bits = unsigned(half) << 16;
        float value;
        __builtin_memcpy(&value, &bits, sizeof value);
        return value;
    }
};
using __nv_bfloat16 = __emu_small_float<__emu_bf16>;
using __nv_bfloat162 = __emu_small_float_pair<__emu_bf16>;
static __host__ __device__ __inline__ float __bfloat162float(__nv_bfloat16 value) { return float(value); }
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
