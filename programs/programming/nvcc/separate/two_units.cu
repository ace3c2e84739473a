// Can a kernel use a variable and a function of another file? Yes, if all files are
// compiled to relocatable device code and the device code is linked, as host code is. A
// function needs a declaration, a variable one with `extern`. Without the option nvcc
// takes each file for a whole program, and what it lacks is missing.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [declarations]
extern __device__ int calls;
extern __constant__ const int base;
__device__ int shifted(int x);
// [/declarations]

// [kernel]
/// Uses what the other unit defines.
/// @param result  three ints on the device: a shifted number, the number of calls, the
///                base
__global__ void use(int* result) {
    result[0] = shifted(1);
    result[1] = calls;
    result[2] = base;
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_result(3);
    d_result.fill_bytes(0xFF);
    use<<<1, 1>>>(d_result.data());
    lockstep::check(cudaGetLastError());
    const auto result = d_result.to_host();

    lockstep::report("shifted(1)", result[0]);
    lockstep::report("calls", result[1]);
    lockstep::report("base", result[2]);
    return result[0] == 16 && result[1] == 1 && result[2] == 15 ? EXIT_SUCCESS
                                                                : EXIT_FAILURE;
}
