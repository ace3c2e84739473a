// How many variables is a static local of a `__host__ __device__` function? Two: the
// host counts its calls in one, and all threads of the device in the other. A static
// local of a kernel is one variable for the whole grid, and keeps its value between
// launches.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [function]
/// Counts its calls.
/// @return how many calls there were on this side
__host__ __device__ int calls() {
    static int count = 0;  // the initial value must be a constant
    return ++count;
}
// [/function]

// [kernels]
/// Calls the function once; one thread.
/// @param result  one int in device memory, written
__global__ void call(int* result) { *result = calls(); }

/// Adds 1 for each thread to a static local.
/// @param result  one int in device memory, the largest value that a thread saw
__global__ void count_threads(int* result) {
    static int threads = 0;
    atomicMax(result, atomicAdd(&threads, 1) + 1);
}
// [/kernels]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_result(1);
    // [calls]
    int here = 0;
    for (int i = 0; i < 3; ++i) here = calls();
    call<<<1, 1>>>(d_result.data());
    lockstep::check(cudaGetLastError());
    const int there = d_result.to_host()[0];
    // [/calls]
    d_result.fill_bytes(0);
    for (int i = 0; i < 2; ++i) {
        count_threads<<<4, 64>>>(d_result.data());
        lockstep::check(cudaGetLastError());
    }
    const int threads = d_result.to_host()[0];

    lockstep::report("calls counted by the host", here);
    lockstep::report("calls counted by the device", there);
    lockstep::report("threads of two launches", threads);
    return here == 3 && there == 1 && threads == 512 ? EXIT_SUCCESS : EXIT_FAILURE;
}
