// Which macros does nvcc define for a target, and which by its options? In device code
// __CUDA_ARCH__ is the virtual architecture. A target with the suffix a or f defines
// others as well. An option such as -extended-lambda defines one for both sides.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [device]
/// Tells what this code was compiled for, and leaves the same as comments in the PTX.
/// @param out  three ints in device memory, 0 for a macro that is not defined
__global__ void ask(int* out) {
#ifdef __CUDA_ARCH__
    out[0] = __CUDA_ARCH__;
    asm volatile("// __CUDA_ARCH__ %0" ::"n"(__CUDA_ARCH__));
#endif
#ifdef __CUDA_ARCH_SPECIFIC__
    out[1] = __CUDA_ARCH_SPECIFIC__;
    asm volatile("// __CUDA_ARCH_SPECIFIC__ %0" ::"n"(__CUDA_ARCH_SPECIFIC__));
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
    out[2] = __CUDA_ARCH_FAMILY_SPECIFIC__;
    asm volatile(
        "// __CUDA_ARCH_FAMILY_SPECIFIC__ %0" ::"n"(__CUDA_ARCH_FAMILY_SPECIFIC__));
#endif
}
// [/device]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_out(3);
    d_out.fill_bytes(0);
    ask<<<1, 1>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> out = d_out.to_host();

    // [features]
    bool builtins = false, pragmas = false, lambdas = false, relaxed = false;
#ifdef __CUDACC_DEVICE_ATOMIC_BUILTINS__
    builtins = true;
#endif
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
    pragmas = true;
#endif
#ifdef __CUDACC_EXTENDED_LAMBDA__
    lambdas = true;
#endif
#ifdef __CUDACC_RELAXED_CONSTEXPR__
    relaxed = true;
#endif
    // [/features]
    lockstep::report("__CUDA_ARCH__", out[0]);
    lockstep::report("architecture-specific", out[1]);
    lockstep::report("family-specific", out[2]);
    lockstep::report("atomic built-ins", builtins);
    lockstep::report("diagnostic pragmas", pragmas);
    lockstep::report("extended lambdas", lambdas);
    lockstep::report("relaxed constexpr", relaxed);
    return out[0] >= 750 ? EXIT_SUCCESS : EXIT_FAILURE;
}
