// Can a kernel work on host memory without any copy? Yes, when the memory is
// page-locked: CUDA maps it into the GPU's address space, and the host's pointer works
// in the kernel. Every access then crosses the link between the processors. The flag
// that once switched this on changes nothing now.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Copies an array, wherever its two ends live.
/// @param n     number of elements
/// @param from  n ints
/// @param to    n ints
__global__ void copy(int n, const int* from, int* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    const bool old_flag = options.flag("map-host-flag");
    options.finish();
    lockstep::require_device();

    // [flag]
    // needed long ago
    if (old_flag) lockstep::check(cudaSetDeviceFlags(cudaDeviceMapHost));
    // [/flag]
    // [allocate]
    int* from = nullptr;
    int* to = nullptr;
    lockstep::check(cudaMallocHost(&from, n * sizeof(int)));
    lockstep::check(cudaHostAlloc(&to, n * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; ++i) {
        from[i] = i;
        to[i] = -1;
    }
    copy<<<(n + 255) / 256, 256>>>(n, from, to);  // host pointers, no cudaMemcpy
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/allocate]

    int* device_view = nullptr;
    lockstep::check(cudaHostGetDevicePointer(&device_view, to, 0));
    lockstep::report("elements", n);
    lockstep::report("device pointer is the same", device_view == to);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += to[i] != i;
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFreeHost(from));
    lockstep::check(cudaFreeHost(to));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
