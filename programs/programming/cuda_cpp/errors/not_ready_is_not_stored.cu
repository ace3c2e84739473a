// Is cudaErrorNotReady an error? By its name only. Stream and event queries return it to say "still
// busy"; it never becomes the thread's last error. The kernel here waits for the host, so both
// queries are certain to find it running.

#include <cstdlib>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [gate]
/// Waits until the host opens the gate, or gives up after about two seconds.
/// @param gate  one int in pinned host memory; the host sets it to 1
__global__ void wait_at(const volatile int* gate) {
    const long long give_up = clock64() + 4'000'000'000;
    while (*gate == 0 && clock64() < give_up) {
    }
}
// [/gate]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    arguments.finish();
    lockstep::require_device();

    int* gate = nullptr;
    cudaEvent_t done = nullptr;
    lockstep::check(cudaMallocHost(&gate, sizeof(int)));
    lockstep::check(cudaEventCreate(&done));
    *gate = 0;

    // [query]
    wait_at<<<1, 1>>>(gate);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(done));
    const cudaError_t stream_busy = cudaStreamQuery(nullptr);
    const cudaError_t event_busy = cudaEventQuery(done);
    const cudaError_t stored = cudaPeekAtLastError();
    *static_cast<volatile int*>(gate) = 1;
    lockstep::check(cudaDeviceSynchronize());
    const cudaError_t stream_done = cudaStreamQuery(nullptr);
    // [/query]

    lockstep::report("cudaStreamQuery, busy", cudaGetErrorName(stream_busy));
    lockstep::report("cudaEventQuery, busy", cudaGetErrorName(event_busy));
    lockstep::report("last error meanwhile", cudaGetErrorName(stored));
    lockstep::report("cudaStreamQuery, done", cudaGetErrorName(stream_done));
    lockstep::check(cudaEventDestroy(done));
    lockstep::check(cudaFreeHost(gate));
    const bool busy = stream_busy == cudaErrorNotReady && event_busy == cudaErrorNotReady;
    return busy && stored == cudaSuccess && stream_done == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
