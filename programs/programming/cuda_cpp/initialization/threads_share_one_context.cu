// Does each host thread need a context of its own? No: the threads of a process share
// the one primary context of a device. What one thread allocated, another thread may
// use; it needs nothing but the pointer.

#include <cstdlib>
#include <thread>

#include <cuda.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [current]
/// The calling thread's context, or null if it has none yet.
CUcontext current_context() {
    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &address, 13000,
                                                     cudaEnableDefault));
    CUcontext context = nullptr;
    lockstep::check(static_cast<cudaError_t>(
        reinterpret_cast<decltype(&cuCtxGetCurrent)>(address)(&context)));
    return context;
}
// [/current]

/// Adds 1.
/// @param x  one int on the device
__global__ void increment(int* x) { *x += 1; }

int main() {
    lockstep::require_device();

    // [threads]
    int* d_x = nullptr;
    CUcontext first_context = nullptr;
    CUcontext second_context = nullptr;
    std::thread first([&] {
        lockstep::check(cudaMalloc(&d_x, sizeof(int)));
        const int x = 41;
        lockstep::check(cudaMemcpy(d_x, &x, sizeof x, cudaMemcpyHostToDevice));
        first_context = current_context();
    });
    first.join();  // the memory outlives the thread that allocated it

    int x = 0;
    std::thread second([&] {
        increment<<<1, 1>>>(d_x);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost));
        second_context = current_context();
    });
    second.join();
    // [/threads]
    lockstep::check(cudaFree(d_x));

    const bool same = first_context != nullptr && first_context == second_context;
    lockstep::report("same context", same);
    lockstep::report("value after both threads", x);
    return same && x == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
