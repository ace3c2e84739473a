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

// In the order of the GPU's own tree, so that floating-point sums are the same.
template <typename T, typename Operation>
__EMU_DEVICE T reduce(const lanes& group, T value, Operation operation, __EMU_PLACE) {
    const unsigned mask = group.mask(), count = group.num_threads();
    if (count & (count - 1)) {  // not a power of two: one after another
        T all[32];
        __emu_warp_gather(mask, &value, sizeof value, all, file, line);
        int lane = __builtin_ctz(mask);
        value = all[lane];
        while (++lane < 32)
            if (mask >> lane & 1) value = operation(value, all[lane]);
        return value;
    }
    for (int bits = int(group.num_threads()) / 2; bits > 0; bits /= 2)
        value = operation(value, group.shfl_xor(value, bits, file, line));
    return value;
}

}  // namespace cooperative_groups
