// One managed array, changed by each GPU in turn: the same pointer on both, and no copy
// in the program.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds a number to each element.
/// @param n       number of elements
/// @param x       n ints in managed memory, changed in place
/// @param number  what is added
__global__ void add(int n, int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += number;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    options.finish();
    lockstep::require_device(0, 2);

    int* x = nullptr;
    lockstep::check(cudaMallocManaged(&x, n * sizeof *x));
    for (int i = 0; i < n; ++i) x[i] = i;
    // [turns]
    for (const int device : {0, 1, 0, 1}) {
        lockstep::check(cudaSetDevice(device));
        add<<<(n + 255) / 256, 256>>>(n, x, 1 + device);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    }
    // [/turns]
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += x[i] != i + 6;
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFree(x));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
