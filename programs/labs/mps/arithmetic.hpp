#pragma once
/// @file
/// Work that only the arithmetic units of the SMs limit.

#include <cuda_runtime.h>

namespace mps {

/// Blocks and threads of the kernel below.
constexpr int compute_blocks = 8448, compute_threads = 256;

/// Multiplies and adds in registers.
/// @param steps   how often
/// @param result  a float in device memory, written only if a sum is 0, which none is
static __global__ void compute(int steps, float* result) {
    float sums[4] = {1, 2, 3, float(threadIdx.x + 4)};
    for (int step = 0; step < steps; ++step)
        for (float& sum : sums) sum = sum * 0.5F + 1;
    if (sums[0] + sums[1] + sums[2] + sums[3] == 0) *result = 0;
}

}  // namespace mps
