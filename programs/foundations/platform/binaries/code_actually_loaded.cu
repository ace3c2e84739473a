// From which image did my kernel come? cudaFuncGetAttributes tells two versions: that
// of the machine code in use, and that of the PTX from which it was made. Machine code
// for 9.0 made from PTX for 8.0 means that the driver compiled it here, when the kernel
// was loaded.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes 42.
/// @param out  one int on the device
__global__ void answer(int* out) { *out = 42; }

int main() {
    lockstep::require_device();

    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));

    // [attributes]
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, answer));
    lockstep::report("machine code version", attributes.binaryVersion);
    lockstep::report("made from PTX version", attributes.ptxVersion);
    // [/attributes]

    lockstep::device_buffer<int> d_out(1);
    d_out.fill_bytes(0xFF);
    answer<<<1, 1>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    const bool runs_here = attributes.binaryVersion / 10 == major &&
                           attributes.binaryVersion % 10 <= minor;
    return runs_here && d_out.to_host()[0] == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
