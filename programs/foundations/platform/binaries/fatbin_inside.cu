// What GPU code does an executable carry? This one is built for two real architectures
// and one virtual one, so its fatbin holds two cubins and one PTX text. The kernel says
// which of them the driver chose on this GPU.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes the architecture that this copy of the kernel was compiled for.
/// @param target  one int on the device; receives 800 or 900
__global__ void say_target(int* target) {
#ifdef __CUDA_ARCH__
    *target = __CUDA_ARCH__;
#else
    *target = 0;  // never runs: the host's view of this function
#endif
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_target(1);
    d_target.fill_bytes(0xFF);
    say_target<<<1, 1>>>(d_target.data());
    lockstep::check(cudaGetLastError());
    const int target = d_target.to_host()[0];

    lockstep::report("kernel was compiled for", target);
    return target == 800 || target == 900 ? EXIT_SUCCESS : EXIT_FAILURE;
}
