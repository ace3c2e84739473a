// Is cudaErrorNotReady an error? By its name only. Stream and event queries return it
// to say "still busy"; it never becomes the thread's last error. The kernel here waits
// for the host, so both queries are certain to find it running.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/event.hpp>
#include <lockstep/report.hpp>

// [latch]
/// Waits until the host opens the latch, or gives up after about two seconds.
/// @param latch  one int in pinned host memory; the host sets it to 1
__global__ void wait_at(const volatile int* latch) {
    const long long give_up = clock64() + 4'000'000'000;
    while (*latch == 0 && clock64() < give_up) {
    }
}
// [/latch]

int main() {
    lockstep::require_device();

    int* latch = nullptr;
    lockstep::check(cudaMallocHost(&latch, sizeof(int)));
    const lockstep::event done;
    *latch = 0;

    // [query]
    wait_at<<<1, 1>>>(latch);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(done));
    const cudaError_t stream_busy = cudaStreamQuery(nullptr);
    const cudaError_t event_busy = cudaEventQuery(done);
    const cudaError_t stored = cudaPeekAtLastError();
    *static_cast<volatile int*>(latch) = 1;
    lockstep::check(cudaDeviceSynchronize());
    const cudaError_t stream_done = cudaStreamQuery(nullptr);
    // [/query]

    lockstep::report("cudaStreamQuery, busy", cudaGetErrorName(stream_busy));
    lockstep::report("cudaEventQuery, busy", cudaGetErrorName(event_busy));
    lockstep::report("last error meanwhile", cudaGetErrorName(stored));
    lockstep::report("cudaStreamQuery, done", cudaGetErrorName(stream_done));
    lockstep::check(cudaFreeHost(latch));
    const bool busy =
        stream_busy == cudaErrorNotReady && event_busy == cudaErrorNotReady;
    return busy && stored == cudaSuccess && stream_done == cudaSuccess ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
