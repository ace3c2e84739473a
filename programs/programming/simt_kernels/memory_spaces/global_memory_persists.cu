// How do results leave a kernel? Through global memory, and only there: a kernel
// returns nothing, and registers, local and shared memory end with it. What one kernel
// wrote, the next one finds, and the host can copy.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Writes i * i into element i.
/// @param n     number of elements
/// @param data  n ints in device memory
__global__ void square(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i * i;
}

/// Replaces each element by its difference from the next, the last by 0.
/// @param n     number of elements
/// @param from  n ints in device memory
/// @param to    n ints in device memory, another array: others still read `from`
__global__ void difference(int n, const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i + 1 < n ? from[i + 1] - from[i] : 0;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    // squares fit an int
    const int n = options.integer("n", 10'000, 2, 40'000);
    options.finish();
    lockstep::require_device();

    // [life]
    int* d_squares = nullptr;
    int* d_differences = nullptr;
    lockstep::check(cudaMalloc(&d_squares, n * sizeof(int)));
    lockstep::check(cudaMalloc(&d_differences, n * sizeof(int)));
    square<<<(n + 255) / 256, 256>>>(n, d_squares);
    lockstep::check(cudaGetLastError());
    // finds what the first kernel wrote
    difference<<<(n + 255) / 256, 256>>>(n, d_squares, d_differences);
    lockstep::check(cudaGetLastError());
    std::vector<int> differences(n, -1);
    lockstep::check(cudaMemcpy(differences.data(), d_differences, n * sizeof(int),
                               cudaMemcpyDeviceToHost));
    lockstep::check(cudaFree(d_squares));
    lockstep::check(cudaFree(d_differences));
    // [/life]

    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += differences[i] != (i + 1 < n ? 2 * i + 1 : 0);
    lockstep::report("elements", n);
    lockstep::report("difference 3", differences[3]);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
