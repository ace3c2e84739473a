#pragma once
/// @file
/// How long a block's warps worked, on their multiprocessor's clock.

#include <algorithm>
#include <vector>

namespace lockstep {

/// When one warp began and ended, in cycles of its multiprocessor's clock.
///
/// Each warp notes its own: a clock after `__syncthreads()` is read before the barrier
/// opens.
struct warp_span {
    long long begin;  ///< before its first step
    long long end;    ///< after its last
};

/// Notes when the calling thread's warp worked; all threads of a one-dimensional block
/// call it.
/// @param spans  device array, one for each warp of the block
/// @param begin  clock64() before the first step
/// @param end    clock64() after the last
__device__ inline void note_span(warp_span* spans, long long begin, long long end) {
    if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {begin, end};
}

/// Clock cycles from the first warp's begin to the last one's end.
/// @param spans  of all warps of one block, at least one
inline long long cycles_of(const std::vector<warp_span>& spans) {
    long long begin = spans[0].begin;
    long long end = spans[0].end;
    for (const warp_span& span : spans) {
        begin = std::min(begin, span.begin);
        end = std::max(end, span.end);
    }
    return end - begin;
}

}  // namespace lockstep
