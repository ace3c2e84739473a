// What does the host read before the kernel is done? The old value. To make that
// certain, the kernel writes its result only after the host has read it once and set a
// flag. After cudaDeviceSynchronize, the result is there.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// An int that the CPU and the GPU may access at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Waits for the flag, then writes 42; gives up waiting after `patience` clock cycles.
/// @param flag      one int in page-locked host memory
/// @param patience  cycles of the SM's clock
/// @param result    one int in managed memory
__global__ void answer(int* flag, long long patience, int* result) {
    const shared_int set(*flag);
    const long long start = clock64();
    while (set.load(cuda::memory_order_acquire) == 0 && clock64() - start < patience) {
    }
    *result = 42;
}
// [/kernel]

int main() {
    lockstep::require_device();

    // [ask]
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    // [/ask]
    lockstep::report("concurrent managed access", concurrent != 0);
    if (!concurrent) return EXIT_SUCCESS;  // there, reading during a kernel is a fault

    int* flag = nullptr;
    int* result = nullptr;
    lockstep::check(cudaMallocHost(&flag, sizeof(int)));
    lockstep::check(cudaMallocManaged(&result, sizeof(int)));
    *flag = 0;
    *result = 0;

    // [act]
    answer<<<1, 1>>>(flag, 4'000'000'000, result);
    lockstep::check(cudaGetLastError());
    const int too_early = *result;
    shared_int(*flag).store(1, cuda::memory_order_release);
    lockstep::check(cudaDeviceSynchronize());
    const int in_time = *result;
    // [/act]
    lockstep::report("read before the wait", too_early);
    lockstep::report("read after the wait", in_time);
    lockstep::check(cudaFreeHost(flag));
    lockstep::check(cudaFree(result));
    return too_early == 0 && in_time == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
