#pragma once
/// @file
/// Waits for a phase of a hardware barrier, but not forever.

#include <cstdint>

#include <cuda/ptx>

namespace lockstep {

/// Waits until a phase of a barrier has completed. A mistake that keeps it from
/// completing ends the kernel with an error after about a second, where a plain loop
/// would hang.
/// @param barrier  in shared memory of this block
/// @param parity   of the phase: 0 for the first, then 1, then 0
__device__ inline void await_phase(std::uint64_t* barrier, std::uint32_t parity) {
    if (cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) return;
    const long long begin = clock64();
    while (!cuda::ptx::mbarrier_try_wait_parity(barrier, parity))
        if (clock64() - begin > 2'000'000'000) __trap();
}

}  // namespace lockstep
