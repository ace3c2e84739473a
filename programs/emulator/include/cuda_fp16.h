// __half: a number of 16 bits, five of them its exponent's.
#pragma once

#include "emulator/small_float_math.h"

using __half = __emu_small_float<5>;
using __half2 = __emu_small_float_pair<5>;
static __host__ __device__ __inline__ float __half2float(__half value) { return float(value); }
static __host__ __device__ __inline__ __half __float2half(float value) { return __half(value); }
static __host__ __device__ __inline__ __half __float2half_rn(float value) { return __half(value); }
using half = __half;
using half2 = __half2;
__EMU_SMALL_FLOAT_NAMES(5, half, half2, half)
