// Reductions over the threads of a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"
#include "scan.h"

namespace cooperative_groups {

namespace detail {

// In the order of the GPU's own steps, so that floating-point sums are the same: a tree for tiles
// and whole warps, then one over the sums of the warps; for other groups a scan, whose last value
// all get.
template <unsigned Size, typename Parent, typename T, typename Operation>
__EMU_DEVICE T reduced(const thread_block_tile<Size, Parent>& group, T value, Operation& operation,
                       const char* file, int line) {
    if constexpr (Size <= 32) {
        for (int bits = Size / 2; bits > 0; bits /= 2)
            value = operation(value, group.shfl_xor(value, bits, file, line));
    } else {
        constexpr unsigned warps = Size / 32;
        const thread_block_tile<32> warp(0, 1);
        value = reduced(warp, value, operation, file, line);
        for (unsigned bits = warps / 2; bits > 0; bits /= 2) {
            const unsigned rank = group.thread_rank() ^ bits * 32;
            value = operation(value, group.shfl(value, int(rank), file, line));
        }
    }
    return value;
}
template <typename T, typename Operation>
__EMU_DEVICE T reduced(const coalesced_group& group, T value, Operation& operation,
                       const char* file, int line) {
    const int count = int(group.num_threads());
    if (count == warpSize)
        return reduced(thread_block_tile<32>(0, 1), value, operation, file, line);
    return group.shfl(scanned(group, value, operation, file, line), count - 1, file, line);
}

}  // namespace detail

template <typename Group, typename T, typename Operation>
__EMU_DEVICE auto reduce(const Group& group, T&& value, Operation&& operation, __EMU_PLACE)
    -> decltype(operation(value, value)) {
    static_assert(detail::scans<Group>::value, "This group does not exclusively represent a tile");
    return detail::reduced(group, detail::plain<T>(value), operation, file, line);
}

// One thread hands the result on.
template <typename Group, typename Atomic, typename T, typename Operation>
__EMU_DEVICE void reduce_update_async(const Group& group, Atomic&& place, T&& value,
                                      Operation&& operation, __EMU_PLACE) {
    const auto result = reduce(group, value, operation, file, line);
    if (group.thread_rank() == 0) detail::update(place, result, operation);
}
template <typename Group, typename Atomic, typename T, typename Operation>
__EMU_DEVICE void reduce_store_async(const Group& group, Atomic&& place, T&& value,
                                     Operation&& operation, __EMU_PLACE) {
    const auto result = reduce(group, value, operation, file, line);
    if (group.thread_rank() == 0) place.store(result, cuda::memory_order_relaxed);
}
template <typename Group, typename Element, typename T, typename Operation>
__EMU_DEVICE void reduce_store_async(const Group& group, Element* place, T&& value,
                                     Operation&& operation, __EMU_PLACE) {
    const auto result = reduce(group, value, operation, file, line);
    if (group.thread_rank() == 0) *place = result;
}

}  // namespace cooperative_groups
