// What does cudaDeviceReset destroy? Everything that belonged to the context: old
// pointers are no longer valid, and variables on the device start over with their
// initial values. Kernels can still be launched, because the next call creates a new
// context and loads the program into it again.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [variable]
__device__ int calls = 100;

/// Counts a call in `calls`.
__global__ void count_call() { calls += 1; }
// [/variable]

/// Launches count_call() and reads what it left.
int count_one_call() {
    count_call<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    int value = 0;
    lockstep::check(cudaMemcpyFromSymbol(&value, calls, sizeof value));
    return value;
}

int main() {
    lockstep::require_device();

    // [reset]
    int* d_x = nullptr;
    lockstep::check(cudaMalloc(&d_x, sizeof(int)));
    lockstep::check(cudaMemset(d_x, 0, sizeof(int)));
    const int first = count_one_call();
    const int second = count_one_call();
    lockstep::check(cudaDeviceReset());
    const cudaError_t use = cudaMemset(d_x, 0, sizeof(int));
    const cudaError_t release = cudaFree(d_x);
    // both statuses are looked at below; the check of the next launch shall not find
    // them
    cudaGetLastError();
    const int third = count_one_call();
    // [/reset]

    lockstep::report("calls after the first", first);
    lockstep::report("calls after the second", second);
    lockstep::report("old pointer, cudaMemset", cudaGetErrorName(use));
    lockstep::report("old pointer, cudaFree", cudaGetErrorName(release));
    lockstep::report("calls after the reset", third);
    const bool forgotten = use != cudaSuccess && release != cudaSuccess;
    return first == 101 && second == 102 && third == 101 && forgotten ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE;
}
