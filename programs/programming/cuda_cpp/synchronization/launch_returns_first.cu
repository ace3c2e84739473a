// Does a launch wait for its kernel? No. This kernel ends only when it sees a flag that
// the host raises after the launch has returned. If the launch waited, the kernel would
// give up before the flag went up.

#include <cstdlib>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [kernel]
/// Waits until the host raises its flag, or gives up after `patience` clock ticks.
/// @param flag      one int in page-locked host memory
/// @param patience  ticks of the multiprocessor's clock
/// @param seen      one int in page-locked host memory: 1 if the flag was seen, else 0
__global__ void wait_for_host(const volatile int* flag, long long patience, int* seen) {
    const long long start = clock64();
    while (*flag == 0 && clock64() - start < patience) {
    }
    *seen = *flag;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const bool wait = arguments.flag("wait-first");
    arguments.finish();
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
    *static_cast<volatile int*>(flag) = 1;
    lockstep::check(cudaDeviceSynchronize());
    // [/act]
    const int found = *seen;
    lockstep::report("kernel saw the flag", found == 1);
    lockstep::check(cudaFreeHost(flag));
    lockstep::check(cudaFreeHost(seen));
    return found == (wait ? 0 : 1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
