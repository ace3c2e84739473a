// Is cudaErrorNotReady an error? By its name only. Stream and event queries return it
// to say "still busy"; it never becomes the thread's last error. The kernel here waits
// for the host, so both queries are certain to find it running.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/owned_event.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// An int that the CPU and the GPU may access at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Waits until the host sets the flag, or gives up after about two seconds.
/// @param flag  one int in pinned host memory; the host sets it to 1
__global__ void wait_for(int* flag) {
    const shared_int set(*flag);
    const long long give_up = clock64() + 4'000'000'000;
    while (set.load(cuda::memory_order_relaxed) == 0 && clock64() < give_up) {
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    int* flag = nullptr;
    lockstep::check(cudaMallocHost(&flag, sizeof(int)));
    const lockstep::owned_event done;
    *flag = 0;

    // [query]
    wait_for<<<1, 1>>>(flag);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(done));
    const cudaError_t stream_busy = cudaStreamQuery(nullptr);
    const cudaError_t event_busy = cudaEventQuery(done);
    const cudaError_t stored = cudaPeekAtLastError();
    shared_int(*flag).store(1, cuda::memory_order_relaxed);
    lockstep::check(cudaDeviceSynchronize());
    const cudaError_t stream_done = cudaStreamQuery(nullptr);
    // [/query]

    lockstep::report("cudaStreamQuery, busy", cudaGetErrorName(stream_busy));
    lockstep::report("cudaEventQuery, busy", cudaGetErrorName(event_busy));
    lockstep::report("last error meanwhile", cudaGetErrorName(stored));
    lockstep::report("cudaStreamQuery, done", cudaGetErrorName(stream_done));
    lockstep::check(cudaFreeHost(flag));
    const bool busy =
        stream_busy == cudaErrorNotReady && event_busy == cudaErrorNotReady;
    return busy && stored == cudaSuccess && stream_done == cudaSuccess ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
