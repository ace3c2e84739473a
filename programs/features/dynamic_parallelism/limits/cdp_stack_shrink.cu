// Is a stack that was enlarged for one kernel made smaller again? Not by the driver,
// but by the host. The limit and the memory in use are read before and after a kernel
// with 16 KiB on its stack, after a small kernel, and after the host has set a smaller
// limit.

#include <cstddef>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int words = 4096;  // 16 KiB

// [kernels]
/// Keeps an array on its stack and reads an element of it; one thread.
/// @param i       which
/// @param result  an int in device memory, written
__global__ void large(int i, int* result) {
    volatile int kept[words];
    for (int k = 0; k < words; ++k) kept[k] = k;
    *result = kept[i];
}

/// Needs no stack; one thread.
/// @param i       a number
/// @param result  an int in device memory, written
__global__ void small(int i, int* result) { *result = i; }

/// Launches the large kernel; one thread.
/// @param i       for the child
/// @param result  for the child
__global__ void large_parent(int i, int* result) { large<<<1, 1>>>(i, result); }

/// Launches the small kernel; one thread.
/// @param i       for the child
/// @param result  for the child
__global__ void small_parent(int i, int* result) { small<<<1, 1>>>(i, result); }
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool from_kernel = options.choice("from", {"host", "kernel"}) == 1;
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_result(1);
    const double before = lockstep::memory_in_use();
    const auto show = [&](const std::string& when) {
        std::size_t bytes = 0;
        lockstep::check(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
        const double taken = (lockstep::memory_in_use() - before) / (1 << 20);
        lockstep::report((when + ": limit").c_str(), bytes, "bytes");
        lockstep::report((when + ": memory").c_str(), lockstep::measured{taken}, "MiB");
    };
    bool right = true;
    // [steps]
    const auto run = [&](void (*kernel)(int, int*)) {
        d_result.fill_bytes(0xFF);
        kernel<<<1, 1>>>(words - 1, d_result.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        right = right && d_result.to_host()[0] == words - 1;
    };
    const auto run_small = [&] { run(from_kernel ? small_parent : small); };
    const auto run_large = [&] { run(from_kernel ? large_parent : large); };
    run_small();
    show("small kernel");
    run_large();
    show("large kernel");
    run_small();
    show("small kernel again");
    const cudaError_t set = cudaDeviceSetLimit(cudaLimitStackSize, 1024);
    lockstep::report("set to 1024 bytes", cudaGetErrorName(set));
    show("after that");
    run_small();
    show("small, third time");
    run_large();
    show("large, second time");
    // [/steps]
    lockstep::report("all results right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
