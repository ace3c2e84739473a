// A kernel calls a function, and the function writes where no memory is allocated.
// Which thread was it, and who called? The debugger says so as it happens, and
// afterwards from a core dump.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Stores a number.
__device__ __noinline__ void store(int* data, int place, int value) {
    data[place] = value;
}

/// Each thread stores its number; one of them far away.
/// @param data  one int for each thread in device memory, written
__global__ void number(int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    store(data, i == 77 ? 50'000'000 : i, i);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> data(128);
    number<<<4, 32>>>(data.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    lockstep::report("error", cudaGetErrorName(error));
    return error == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;
}
