#pragma once
/// @file
/// The GPU's clock, and a kernel that passes time.

namespace lockstep {

/// The time on the GPU's global clock, in nanoseconds: the same for all
/// multiprocessors.
__device__ inline unsigned long long now_ns() {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/// Lets a thread pass some time.
/// @param ns  how long, in nanoseconds
__device__ inline void pass_time(unsigned long long ns) {
    const unsigned long long begin = now_ns();
    while (now_ns() - begin < ns) {
    }
}

/// Keeps its multiprocessors busy.
/// @param ns  how long, in nanoseconds
[[maybe_unused]] static __global__ void busy(unsigned long long ns) { pass_time(ns); }

}  // namespace lockstep
