// __half: a number of 16 bits.
#pragma once

#include "emulator/small_float.h"

struct __emu_fp16 {
    static __host__ __device__ unsigned short bits(float value) {
        const _Float16 half = static_cast<_Float16>(value);
        unsigned short bits;
        __builtin_memcpy(&bits, &half, sizeof bits);
        return bits;
    }
    static __host__ __device__ float value(unsigned short bits) {
        _Float16 half;
        __builtin_memcpy(&half, &bits, sizeof half);
        return static_cast<float>(half);
    }
};
using __half = __emu_small_float<__emu_fp16>;
using __half2 = __emu_small_float_pair<__emu_fp16>;
static __host__ __device__ __inline__ float __half2float(__half value) { return float(value); }
static __host__ __device__ __inline__ __half __float2half(float value) { return __half(value); }
static __host__ __device__ __inline__ __half __float2half_rn(float value) { return __half(value); }
using half = __half;
using half2 = __half2;
