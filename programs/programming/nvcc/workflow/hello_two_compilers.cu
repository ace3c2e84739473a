// One file, two processors: which code in it does which compiler see? The C++ compiler
// of the host gets `main`, the compiler for the GPU gets the kernel, and each tells its
// own version. nvcc itself compiles nothing. It calls the others, and can list the
// calls and keep the files that they hand on.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [device]
/// Writes what the GPU's compiler tells about itself.
/// @param said  two ints on the device: toolkit, target
__global__ void device_side(int* said) {
    said[0] = __CUDACC_VER_MAJOR__;
#ifdef __CUDA_ARCH__
    said[1] = __CUDA_ARCH__;
#endif
}
// [/device]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_said(2);
    d_said.fill_bytes(0xFF);

    // [host]
    lockstep::report("host code: g++", __VERSION__);
    device_side<<<1, 1>>>(d_said.data());
    lockstep::check(cudaGetLastError());
    const auto said = d_said.to_host();
    lockstep::report("device code: CUDA", said[0]);
    lockstep::report("device code: target", said[1]);
    // [/host]
    return said[0] == __CUDACC_VER_MAJOR__ && said[1] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
