// __nv_bfloat16: a number of 16 bits, eight of them its exponent's, as many as a float has.
#pragma once

#include "emulator/small_float_math.h"

using __nv_bfloat16 = __emu_small_float<8>;
using __nv_bfloat162 = __emu_small_float_pair<8>;
static __host__ __device__ __inline__ float __bfloat162float(__nv_bfloat16 value) {
    return float(value);
}
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16(float value) {
    return __nv_bfloat16(value);
}
static __host__ __device__ __inline__ __nv_bfloat16 __float2bfloat16_rn(float value) {
    return __nv_bfloat16(value);
}
__EMU_SMALL_FLOAT_NAMES(8, bfloat16, bfloat162, bfloat16)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
