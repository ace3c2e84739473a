// A program that changes the environment after CUDA has looked at it changes nothing.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [set]
    int before = 0;
    int after = 0;
    lockstep::check(cudaGetDeviceCount(&before));
    // hides all GPUs, from processes that start now
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    lockstep::check(cudaGetDeviceCount(&after));
    // [/set]
    lockstep::report("GPUs visible before setenv", before > 0);
    lockstep::report("GPUs visible after setenv", after == before);
    return before > 0 && after == before ? EXIT_SUCCESS : EXIT_FAILURE;
}
