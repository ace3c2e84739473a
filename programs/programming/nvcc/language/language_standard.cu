// Which C++ does nvcc compile? C++17 unless you say otherwise, on both sides: `-std`
// sets the standard of the device code and is passed to the host compiler. The macro
// `__cplusplus` tells each side's.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes the standard of the device code.
/// @param standard  one long on the device
__global__ void ask(long* standard) { *standard = __cplusplus; }
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<long> d_standard(1);
    ask<<<1, 1>>>(d_standard.data());
    lockstep::check(cudaGetLastError());
    const long standard = d_standard.to_host()[0];
    lockstep::report("host code", __cplusplus);
    lockstep::report("device code", standard);
    return standard == __cplusplus ? EXIT_SUCCESS : EXIT_FAILURE;
}
