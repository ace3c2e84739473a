#pragma once
/// @file
/// The GPU's clock, and work that takes a given time.

namespace lockstep {

/// The time on the GPU's global clock, in nanoseconds: the same for all
/// SMs.
__device__ inline unsigned long long now_ns() {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/// Keeps the calling thread busy.
/// @param ns  how long, in nanoseconds
__device__ inline void busy_wait(unsigned long long ns) {
    const unsigned long long begin = now_ns();
    while (now_ns() - begin < ns) {
    }
}

/// A kernel that keeps its SMs busy.
/// @param ns  how long, in nanoseconds
[[maybe_unused]] static __global__ void busy(unsigned long long ns) { busy_wait(ns); }

}  // namespace lockstep
