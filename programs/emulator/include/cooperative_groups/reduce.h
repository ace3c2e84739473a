// Reductions over the lanes of a tile.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename T>
struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

// In the order of the GPU's own steps, so that floating-point sums are the same: a tree for tiles
// and whole warps; for other groups a scan, whose last value all get.
template <typename T, typename Operation>
__EMU_DEVICE T reduce(const lanes& group, T value, Operation operation, __EMU_PLACE) {
    for (int bits = int(group.num_threads()) / 2; bits > 0; bits /= 2)
        value = operation(value, group.shfl_xor(value, bits, file, line));
    return value;
}
template <typename T, typename Operation>
__EMU_DEVICE T reduce(const coalesced_group& group, T value, Operation operation, __EMU_PLACE) {
    const int count = int(group.num_threads()), rank = int(group.thread_rank());
    if (count == warpSize)
        return reduce(static_cast<const lanes&>(group), value, operation, file, line);
    for (int step = 1; step < count; step *= 2) {
        const T before = group.shfl_up(value, step, file, line);
        if (rank >= step) value = operation(value, before);
    }
    return group.shfl(value, count - 1, file, line);
}

}  // namespace cooperative_groups
