#pragma once
/// @file
/// How much memory of the GPU is free, and how much is in use.

#include <cstddef>

#include <cuda_runtime_api.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Memory of the current device that is free, in bytes.
inline std::size_t free_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    return free;
}

/// Memory of the current device that is in use by any process, in bytes.
inline std::size_t memory_in_use() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    return total - free;
}

}  // namespace lockstep
