// When may the CPU touch managed memory? Everywhere once the GPU is idle; while a
// kernel runs only where concurrent managed access is 1, even if the kernel does not
// use that memory. The kernel here waits for a flag in mapped memory, so that it
// provably runs while the CPU writes.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// An int in mapped memory.
using flag = cuda::atomic_ref<int, cuda::thread_scope_system>;

// [variables]
__managed__ int x = 0;  // the kernel's
__managed__ int y = 0;  // the CPU's
// [/variables]

// [kernel]
/// Writes x, says that it runs, and waits to be released; gives up after a while.
/// @param running   one int in mapped memory, set at the start
/// @param released  one int in mapped memory, set by the CPU
/// @param patience  clock ticks to wait at most
__global__ void hold(int* running, int* released, long long patience) {
    x = 10;
    flag(*running).store(1, cuda::memory_order_release);
    const long long begin = clock64();
    while (flag(*released).load(cuda::memory_order_acquire) == 0)
        if (clock64() - begin > patience) return;
    x += 1;
}
// [/kernel]

int main() {
    lockstep::require_device(60);
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    lockstep::report("concurrent managed access", concurrent);
    int* running = nullptr;
    int* released = nullptr;
    lockstep::check(cudaMallocHost(&running, sizeof(int)));
    lockstep::check(cudaMallocHost(&released, sizeof(int)));
    *running = *released = 0;

    // [touch]
    hold<<<1, 1>>>(running, released, 2'000'000'000);
    lockstep::check(cudaGetLastError());
    while (flag(*running).load(cuda::memory_order_acquire) == 0)
        if (cudaStreamQuery(nullptr) != cudaErrorNotReady) break;
    const bool active = cudaStreamQuery(nullptr) == cudaErrorNotReady;
    if (concurrent) y = 20;  // elsewhere: a segmentation fault
    const bool still_active = cudaStreamQuery(nullptr) == cudaErrorNotReady;
    // mapped memory: always legal
    flag(*released).store(1, cuda::memory_order_release);
    lockstep::check(cudaDeviceSynchronize());
    y += 1;  // legal everywhere: the GPU is idle
    // [/touch]
    lockstep::report("kernel ran before the write", active);
    lockstep::report("kernel ran after the write", still_active);
    lockstep::report("x", x);
    lockstep::report("y", y);
    lockstep::check(cudaFreeHost(running));
    lockstep::check(cudaFreeHost(released));
    const bool right = x == 11 && y == (concurrent ? 21 : 1);
    return right && active && still_active ? EXIT_SUCCESS : EXIT_FAILURE;
}
