// How large is the stack of a thread? As cudaLimitStackSize says. The driver enlarges
// it by itself for a kernel that needs more, if it knows the need, and keeps it so. A
// kernel with 8 KiB on its stack is launched by the host, or by another kernel.

#include <cstddef>
#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int words = 2048;  // 8 KiB

// [kernels]
/// Keeps an array on its stack and reads an element of it; one thread.
/// @param i       which
/// @param result  in pinned host memory, written
__global__ void large_frame(int i, volatile int* result) {
    volatile int kept[words];
    for (int k = 0; k < words; ++k) kept[k] = k;
    *result = kept[i];
}

/// Launches it; one thread.
/// @param i       for the child
/// @param result  for the child
__global__ void parent(int i, volatile int* result) {
    large_frame<<<1, 1>>>(i, result);
}
// [/kernels]

/// The limit, in bytes for each thread.
static std::size_t stack_limit() {
    std::size_t bytes = 0;
    lockstep::check(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    return bytes;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool from_kernel = options.choice("from", {"host", "kernel"}) == 1;
    const auto bytes = options.integer<std::size_t>("stack", 0, 0, 1 << 15);
    options.finish();
    lockstep::require_device();

    int* result = nullptr;  // readable even if the context is lost
    lockstep::check(cudaMallocHost(&result, sizeof *result));
    *result = -1;
    lockstep::report("stack limit at first", stack_limit(), "bytes");
    const double before = lockstep::memory_in_use();
    // [launch]
    if (bytes > 0) lockstep::check(cudaDeviceSetLimit(cudaLimitStackSize, bytes));
    if (from_kernel)
        parent<<<1, 1>>>(words - 1, result);
    else
        large_frame<<<1, 1>>>(words - 1, result);
    const cudaError_t at_launch = cudaGetLastError();
    const cudaError_t at_end = cudaDeviceSynchronize();
    // [/launch]
    lockstep::report("element read", *result);
    lockstep::report("launch by the host", cudaGetErrorName(at_launch));
    lockstep::report("host: synchronization", cudaGetErrorName(at_end));
    const bool right = *result == words - 1 && at_end == cudaSuccess;
    if (!right) return from_kernel && bytes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;

    lockstep::report("stack limit in the end", stack_limit(), "bytes");
    lockstep::report(
        "memory taken meanwhile",
        lockstep::measured{(lockstep::memory_in_use() - before) / (1 << 20)}, "MiB");
    lockstep::check(cudaFreeHost(result));
    return EXIT_SUCCESS;
}
