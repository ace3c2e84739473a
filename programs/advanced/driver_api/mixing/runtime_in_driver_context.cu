// Runtime and driver API in one program. The runtime works in the context that the
// driver API made current; and the context that the runtime makes by itself is the
// device's primary context, which the driver API can hold, too. Memory is the same on
// both sides.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds one.
/// @param x  one int in device memory, changed in place
__global__ void add_one(int* x) { *x += 1; }

int main() {
    lockstep::require_device();

    // [primary]
    lockstep::check(cudaFree(nullptr));  // the runtime makes its context
    CUcontext of_runtime = nullptr;
    CUcontext primary = nullptr;
    lockstep::check(cuCtxGetCurrent(&of_runtime));
    lockstep::check(cuDevicePrimaryCtxRetain(&primary, 0));
    // [/primary]
    // [own]
    CUcontext own = nullptr;
    lockstep::check(cuCtxCreate(&own, nullptr, 0, 0));
    CUdeviceptr memory = 0;
    lockstep::check(cuMemAlloc(&memory, sizeof(int)));
    lockstep::check(cuMemsetD32(memory, 41, 1));
    // the runtime, in the driver's context
    add_one<<<1, 1>>>(reinterpret_cast<int*>(memory));
    lockstep::check(cudaGetLastError());
    int answer = 0;
    lockstep::check(cudaMemcpy(&answer, reinterpret_cast<int*>(memory), sizeof answer,
                               cudaMemcpyDefault));
    CUcontext afterwards = nullptr;
    lockstep::check(cuCtxGetCurrent(&afterwards));
    // [/own]
    lockstep::report("runtime uses the primary", of_runtime == primary);
    lockstep::report("launch used new context", afterwards == own);
    lockstep::report("41 + 1", answer);
    lockstep::check(cuMemFree(memory));
    lockstep::check(cuCtxDestroy(own));
    lockstep::check(cuDevicePrimaryCtxRelease(0));
    return of_runtime == primary && afterwards == own && answer == 42 ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE;
}
