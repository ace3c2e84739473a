// What does the host read before the kernel is done? The old value. To make that
// certain, the kernel writes its result only after the host has looked and opened a
// latch. After cudaDeviceSynchronize, the result is there.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [kernel]
/// Waits for the latch, then writes 42; gives up waiting after `patience` clock ticks.
/// @param latch     one int in page-locked host memory
/// @param patience  ticks of the multiprocessor's clock
/// @param result    one int in managed memory
__global__ void answer(const volatile int* latch, long long patience, int* result) {
    const long long start = clock64();
    while (*latch == 0 && clock64() - start < patience) {
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
    lockstep::report("host may look meanwhile", concurrent != 0);
    if (!concurrent) return EXIT_SUCCESS;  // there, reading during a kernel is a fault

    int* latch = nullptr;
    int* result = nullptr;
    lockstep::check(cudaMallocHost(&latch, sizeof(int)));
    lockstep::check(cudaMallocManaged(&result, sizeof(int)));
    *latch = 0;
    *result = 0;

    // [act]
    answer<<<1, 1>>>(latch, 4'000'000'000, result);
    lockstep::check(cudaGetLastError());
    const int too_early = *static_cast<volatile int*>(result);
    *static_cast<volatile int*>(latch) = 1;
    lockstep::check(cudaDeviceSynchronize());
    const int in_time = *result;
    // [/act]
    lockstep::report("read before the wait", too_early);
    lockstep::report("read after the wait", in_time);
    lockstep::check(cudaFreeHost(latch));
    lockstep::check(cudaFree(result));
    return too_early == 0 && in_time == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
