// Why does a correct call report an error? Because a kernel that was launched before it
// has failed in the meantime. The launch itself had succeeded when it was checked. With
// CUDA_LAUNCH_BLOCKING=1 the host waits inside each launch, so the check right after
// the launch reports the fault of its kernel.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Works for about ten milliseconds, then writes where it must not.
/// @param target  address of the write
__global__ void fault_late(volatile int* target) {
    const long long until = clock64() + 20'000'000;
    while (clock64() < until) {
    }
    *target = 1;
}
// [/kernel]

int main() {
    lockstep::require_device();

    int x = 42;
    int* d_x = nullptr;
    lockstep::check(cudaMalloc(&d_x, sizeof x));
    // [calls]
    fault_late<<<1, 1>>>(reinterpret_cast<int*>(16));  // address 16 was never allocated
    const cudaError_t launch = cudaGetLastError();
    const cudaError_t innocent = cudaMemcpy(d_x, &x, sizeof x, cudaMemcpyHostToDevice);
    // [/calls]

    lockstep::report("launch of fault_late", cudaGetErrorName(launch));
    lockstep::report("cudaMemcpy", cudaGetErrorName(innocent));
    return innocent != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
