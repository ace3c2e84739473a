#pragma once
/// @file
/// Loads kernels before their first launch.

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Loads kernels. CUDA loads a kernel when it is first launched, and may wait for
/// running kernels to do so; a kernel that is to run beside one that waits must be
/// loaded before.
/// @param kernels  the kernels, without an execution configuration
template <class... Kernels>
void load_kernels(Kernels... kernels) {
    cudaFuncAttributes attributes{};
    (check(cudaFuncGetAttributes(&attributes, kernels)), ...);
}

}  // namespace lockstep
