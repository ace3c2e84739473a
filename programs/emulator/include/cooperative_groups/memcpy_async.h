// Copies by a group: each thread copies its part, and wait() waits for those of all.
#pragma once

#include "../cooperative_groups.h"
#include "../emulator/async.h"

namespace cooperative_groups {

namespace detail {
template <typename Group>
__EMU_DEVICE void copy(const Group& group, void* to, const void* from, size_t bytes,
                       const char* file, int line) {
    emulator_headers::copy_part(size_t(group.thread_rank()), size_t(group.num_threads()), to, from,
                                bytes, file, line);
    __emu_copy_commit();
}
}  // namespace detail

template <typename Group, typename To, typename From>
__EMU_DEVICE void memcpy_async(const Group& group, To* to, const From* from, size_t bytes,
                               __EMU_PLACE) {
    detail::copy(group, to, from, bytes, file, line);
}
template <typename Group, typename To, typename From, size_t Alignment>
__EMU_DEVICE void memcpy_async(const Group& group, To* to, const From* from,
                               cuda::aligned_size_t<Alignment> bytes, __EMU_PLACE) {
    emulator_headers::check_alignment(to, from, Alignment, file, line);
    detail::copy(group, to, from, bytes.value, file, line);
}
// Elements: as many as both have.
template <typename Group, typename T, typename ToCount, typename FromCount>
__EMU_DEVICE void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                               const FromCount& from_count, __EMU_PLACE) {
    const size_t a = size_t(to_count), b = size_t(from_count);
    detail::copy(group, to, from, (a < b ? a : b) * sizeof(T), file, line);
}

template <typename Group>
__EMU_DEVICE void wait(const Group& group, __EMU_PLACE) {
    __emu_copy_wait(0);
    group.sync(file, line);
}
template <unsigned Stage, typename Group>
__EMU_DEVICE void wait_prior(const Group& group, __EMU_PLACE) {
    __emu_copy_wait(Stage);
    group.sync(file, line);
}

}  // namespace cooperative_groups
