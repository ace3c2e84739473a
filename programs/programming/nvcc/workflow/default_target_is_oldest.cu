// For which GPU does nvcc compile without an option? For the oldest that it supports.
// The program runs on a newer GPU all the same: the driver compiles the PTX for it when
// the kernel is loaded. So it starts later, and the kernel may use nothing that came
// after the oldest GPU.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes 42.
/// @param out  one int on the device
__global__ void answer(int* out) { *out = 42; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_out(1);
    d_out.fill_bytes(0xFF);
    answer<<<1, 1>>>(d_out.data());
    lockstep::check(cudaGetLastError());

    // [ask]
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, answer));
    lockstep::report("machine code in use", attributes.binaryVersion);
    lockstep::report("made from PTX for", attributes.ptxVersion);
    // [/ask]
    return d_out.to_host()[0] == 42 && attributes.ptxVersion <= attributes.binaryVersion
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
