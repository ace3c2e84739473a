// What does a programmatic dependent launch consist of? The primary triggers, the
// secondary waits before it uses the primary's result, and an attribute of the
// secondary's launch permits its early start. The result is the same as without.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// The primary: triggers, and stores 9.
/// @param data  one int in device memory, written
__global__ void primary(int* data) {
    // a first part of the work
    cudaTriggerProgrammaticLaunchCompletion();
    *data = 9;  // the rest: the secondary may have started
}

/// The secondary: waits, and copies.
/// @param data   one int in device memory
/// @param found  one int in device memory, written
__global__ void secondary(const int* data, int* found) {
    // the prologue stands here: it uses nothing of the primary
    cudaGridDependencySynchronize();
    *found = *data;
}
// [/kernels]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_data(1);
    lockstep::device_buffer<int> d_found(1);
    d_data.fill_bytes(0);
    d_found.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    // [launches]
    primary<<<1, 1, 0, stream>>>(d_data.data());
    lockstep::check(cudaGetLastError());

    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    lockstep::check(
        cudaLaunchKernelEx(&config, secondary, d_data.data(), d_found.data()));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/launches]

    const int found = d_found.to_host()[0];
    lockstep::report("the secondary found", found);
    return found == 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
