// Copies by a group. They are made at once, each thread its part; that all of them are there, a
// thread knows after wait() as on a GPU: what reads before it is a race.
#pragma once

#include "../cooperative_groups.h"

namespace cuda {
#ifndef __EMU_ALIGNED_SIZE
#define __EMU_ALIGNED_SIZE
template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};
#endif
}  // namespace cuda

namespace cooperative_groups {

namespace detail {
template <typename Group>
__EMU_DEVICE void copy(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t rank = size_t(group.thread_rank()), count = size_t(group.num_threads());
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    if (((size_t)target | (size_t)source | bytes) % 16 == 0) {
        for (size_t at = rank; at < bytes / 16; at += count)
            __builtin_memcpy(target + at * 16, source + at * 16, 16);
    } else if (((size_t)target | (size_t)source | bytes) % 4 == 0) {
        for (size_t at = rank; at < bytes / 4; at += count)
            __builtin_memcpy(target + at * 4, source + at * 4, 4);
    } else {
        for (size_t at = rank; at < bytes; at += count) target[at] = source[at];
    }
}
template <typename Group>
__EMU_DEVICE void check_alignment(const void* to, const void* from, size_t alignment,
                                  const char* file, int line) {
    if (((size_t)to | (size_t)from) % alignment != 0)
        __emu_fault(cudaErrorMisalignedAddress,
                    "an asynchronous copy of memory that is not aligned as it says", file, line);
}
}  // namespace detail

template <typename Group, typename To, typename From>
__EMU_DEVICE void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
    detail::copy(group, to, from, bytes);
}
template <typename Group, typename To, typename From, size_t Alignment>
__EMU_DEVICE void memcpy_async(const Group& group, To* to, const From* from,
                               cuda::aligned_size_t<Alignment> bytes, __EMU_PLACE) {
    detail::check_alignment<Group>(to, from, Alignment, file, line);
    detail::copy(group, to, from, bytes.value);
}
// Elements: as many as both have.
template <typename Group, typename T, typename ToCount, typename FromCount>
__EMU_DEVICE void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                               const FromCount& from_count) {
    const size_t a = size_t(to_count), b = size_t(from_count);
    detail::copy(group, to, from, (a < b ? a : b) * sizeof(T));
}

template <typename Group>
__EMU_DEVICE void wait(const Group& group, __EMU_PLACE) {
    group.sync(file, line);
}
template <unsigned Stage, typename Group>
__EMU_DEVICE void wait_prior(const Group& group, __EMU_PLACE) {
    group.sync(file, line);
}

}  // namespace cooperative_groups
