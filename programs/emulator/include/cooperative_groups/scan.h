// Scans over the threads of a tile or a coalesced group, and what reductions use, too.
#pragma once

#include "../cooperative_groups.h"
#include "../cuda/atomic"

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

namespace detail {

template <typename Group>
struct scans : std::false_type {};
template <unsigned Size, typename Parent>
struct scans<thread_block_tile<Size, Parent>> : std::true_type {};
template <>
struct scans<coalesced_group> : std::true_type {};

// Within a warp each step doubles how far a value has come, as on a GPU.
template <typename Group, typename T, typename Operation>
__EMU_DEVICE T scanned_lanes(const Group& group, T value, Operation& operation, const char* file,
                             int line) {
    const int count = int(group.num_threads()), rank = int(group.thread_rank());
    for (int step = 1; step < count; step *= 2) {
        const T before = group.shfl_up(value, step, file, line);
        if (rank >= step) value = operation(value, before);
    }
    return value;
}
template <typename T, typename Operation>
__EMU_DEVICE T scanned(const coalesced_group& group, T value, Operation& operation,
                       const char* file, int line) {
    return scanned_lanes(group, value, operation, file, line);
}
template <unsigned Size, typename Parent, typename T, typename Operation>
__EMU_DEVICE T scanned(const thread_block_tile<Size, Parent>& group, T value, Operation& operation,
                       const char* file, int line) {
    if constexpr (Size <= 32) {
        return scanned_lanes(group, value, operation, file, line);
    } else {
        const unsigned rank = group.thread_rank(), warp = rank / 32;
        value = scanned_lanes(thread_block_tile<32>(0, 1), value, operation, file, line);
        // Then over the sums of the warps; each warp takes those before it.
        T sum = group.shfl(value, int(warp * 32 + 31), file, line);
        for (unsigned step = 1; step < Size / 32; step *= 2) {
            const T before =
                group.shfl(sum, int(warp >= step ? rank - step * 32 : rank), file, line);
            if (warp >= step) sum = operation(sum, before);
        }
        const T before = group.shfl(sum, int(warp ? warp * 32 - 1 : 0), file, line);
        return warp ? operation(value, before) : value;
    }
}
template <typename Group, typename T>
__EMU_DEVICE T moved_up(const Group& group, T value, const char* file, int line) {
    const unsigned rank = group.thread_rank();
    return group.shfl(value, int(rank ? rank - 1 : 0), file, line);
}
template <typename Group, typename T, typename Operation>
__EMU_DEVICE T exclusive(const Group& group, T value, Operation& operation, const char* file,
                         int line) {
    const T moved = moved_up(group, scanned(group, value, operation, file, line), file, line);
    return group.thread_rank() == 0 ? T{} : moved;
}

// What an atomic operation of the same meaning does.
template <typename Atomic, typename T, typename Operation>
__EMU_DEVICE T update(Atomic& place, T value, Operation& operation) {
    T old = place.load(cuda::memory_order_relaxed);
    while (!place.compare_exchange_weak(old, operation(old, value), cuda::memory_order_relaxed)) {
    }
    return old;
}
template <typename Group, typename Atomic, typename T, typename Operation>
__EMU_DEVICE T base_of(const Group& group, Atomic& place, T sum, Operation& operation,
                       const char* file, int line) {
    T old{};
    if (group.thread_rank() == group.num_threads() - 1) old = update(place, sum, operation);
    return group.shfl(old, int(group.num_threads()) - 1, file, line);
}

}  // namespace detail

template <typename Group, typename T, typename Operation>
__EMU_DEVICE auto inclusive_scan(const Group& group, T&& value, Operation&& operation, __EMU_PLACE)
    -> decltype(operation(value, value)) {
    static_assert(detail::scans<Group>::value, "This group does not exclusively represent a tile");
    return detail::scanned(group, detail::plain<T>(value), operation, file, line);
}
template <typename Group, typename T>
__EMU_DEVICE detail::plain<T> inclusive_scan(const Group& group, T&& value, __EMU_PLACE) {
    return inclusive_scan(group, value, plus<detail::plain<T>>(), file, line);
}
template <typename Group, typename T, typename Operation>
__EMU_DEVICE auto exclusive_scan(const Group& group, T&& value, Operation&& operation, __EMU_PLACE)
    -> decltype(operation(value, value)) {
    static_assert(detail::scans<Group>::value, "This group does not exclusively represent a tile");
    return detail::exclusive(group, detail::plain<T>(value), operation, file, line);
}
template <typename Group, typename T>
__EMU_DEVICE detail::plain<T> exclusive_scan(const Group& group, T&& value, __EMU_PLACE) {
    return exclusive_scan(group, value, plus<detail::plain<T>>(), file, line);
}

// The last thread adds the group's sum to an atomic variable; what it held comes before all.
template <typename Group, typename Atomic, typename T, typename Operation>
__EMU_DEVICE auto inclusive_scan_update(const Group& group, Atomic&& place, T&& value,
                                        Operation&& operation, __EMU_PLACE)
    -> decltype(operation(value, value)) {
    const auto sum = inclusive_scan(group, value, operation, file, line);
    return operation(detail::base_of(group, place, sum, operation, file, line), sum);
}
template <typename Group, typename Atomic, typename T>
__EMU_DEVICE detail::plain<T> inclusive_scan_update(const Group& group, Atomic&& place, T&& value,
                                                    __EMU_PLACE) {
    return inclusive_scan_update(group, place, value, plus<detail::plain<T>>(), file, line);
}
template <typename Group, typename Atomic, typename T, typename Operation>
__EMU_DEVICE auto exclusive_scan_update(const Group& group, Atomic&& place, T&& value,
                                        Operation&& operation, __EMU_PLACE)
    -> decltype(operation(value, value)) {
    const auto sum = inclusive_scan(group, value, operation, file, line);
    const auto base = detail::base_of(group, place, sum, operation, file, line);
    const auto before = detail::moved_up(group, sum, file, line);
    return group.thread_rank() == 0 ? base : operation(base, before);
}
template <typename Group, typename Atomic, typename T>
__EMU_DEVICE detail::plain<T> exclusive_scan_update(const Group& group, Atomic&& place, T&& value,
                                                    __EMU_PLACE) {
    return exclusive_scan_update(group, place, value, plus<detail::plain<T>>(), file, line);
}

}  // namespace cooperative_groups
