// A kernel on one GPU reads the memory of another. Without permission it faults; with
// permission the same pointer works.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Copies one number.
/// @param from  one int in some device's memory
/// @param to    one int in memory of the device that runs it, written
__global__ void fetch(const int* from, int* to) { *to = *from; }
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool enable = options.flag("enable");
    options.finish();
    lockstep::require_device(0, 2);

    const int number = 42;
    int* far = nullptr;
    int* near = nullptr;
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaMalloc(&far, sizeof *far));
    lockstep::check(cudaMemcpy(far, &number, sizeof number, cudaMemcpyDefault));
    lockstep::check(cudaSetDevice(0));
    lockstep::check(cudaMalloc(&near, sizeof *near));

    // [enable]
    if (enable)
        lockstep::report("enable 0 -> 1",
                         cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
    fetch<<<1, 1>>>(far, near);
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    // [/enable]
    lockstep::report("kernel", cudaGetErrorName(error));
    if (!enable) return error == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;

    int found = 0;
    lockstep::check(cudaMemcpy(&found, near, sizeof found, cudaMemcpyDefault));
    lockstep::report("it read", found);
    // [again]
    lockstep::report("enable again",
                     cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
    lockstep::report("enable 0 -> 0",
                     cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
    lockstep::report("disable", cudaGetErrorName(cudaDeviceDisablePeerAccess(1)));
    lockstep::report("disable again", cudaGetErrorName(cudaDeviceDisablePeerAccess(1)));
    // [/again]
    cudaGetLastError();  // the refusals were reported above
    lockstep::check(cudaFree(near));
    lockstep::check(cudaFree(far));
    return error == cudaSuccess && found == number ? EXIT_SUCCESS : EXIT_FAILURE;
}
