// Does a launch wait for its kernel? No. This kernel ends only when it sees a flag that
// the host sets after the launch has returned. If the launch waited, the kernel would
// stop waiting before the flag was set.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// An int that the CPU and the GPU may access at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Waits until the host sets the flag, or gives up after `patience` clock cycles.
/// @param flag      one int in page-locked host memory
/// @param patience  cycles of the SM's clock
/// @param seen      one int in page-locked host memory: 1 if the flag was seen, else 0
__global__ void wait_for_host(int* flag, long long patience, int* seen) {
    const shared_int set(*flag);
    const long long start = clock64();
    while (set.load(cuda::memory_order_relaxed) == 0 && clock64() - start < patience) {
    }
    *seen = set.load(cuda::memory_order_relaxed);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool wait = options.flag("wait-first");
    options.finish();
    lockstep::require_device();

    int* flag = nullptr;
    int* seen = nullptr;
    lockstep::check(cudaMallocHost(&flag, sizeof(int)));
    lockstep::check(cudaMallocHost(&seen, sizeof(int)));
    *flag = 0;
    *seen = -1;

    // [act]
    wait_for_host<<<1, 1>>>(flag, 500'000'000, seen);
    lockstep::check(cudaGetLastError());
    if (wait) lockstep::check(cudaDeviceSynchronize());  // as if launches blocked
    // reached while the kernel waits
    shared_int(*flag).store(1, cuda::memory_order_relaxed);
    lockstep::check(cudaDeviceSynchronize());
    // [/act]
    const int found = *seen;
    lockstep::report("kernel saw the flag", found == 1);
    lockstep::check(cudaFreeHost(flag));
    lockstep::check(cudaFreeHost(seen));
    return found == (wait ? 0 : 1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
