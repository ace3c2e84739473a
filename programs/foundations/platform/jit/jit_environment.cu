// Can one steer just-in-time compilation without rebuilding? Environment variables do:
// one forces it even where machine code would fit, one forbids it. Built without PTX or
// without machine code, the program tells where that leaves a launch with nothing to
// run.

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
    d_out.fill_bytes(0);

    // [launch]
    answer<<<1, 1>>>(d_out.data());
    const cudaError_t launch = cudaGetLastError();
    const int out = d_out.to_host()[0];
    lockstep::report("launch", cudaGetErrorName(launch));
    lockstep::report("result", out);
    // [/launch]

    return out == (launch == cudaSuccess ? 42 : 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
