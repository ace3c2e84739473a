// Each GPU has its own streams, and nothing orders those of two. A producer on one, a
// consumer on the other: with an event between them the consumer waits, without it does
// not.

#include <cstdlib>

#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a number.
/// @param to      one int in device memory, written
/// @param number  what is stored
__global__ void store(int* to, int number) { *to = number; }

/// Copies a number.
/// @param from  one int in memory of either GPU, read
/// @param to    one int in device memory, written
__global__ void fetch(const int* from, int* to) { *to = *from; }

int main() {
    lockstep::require_device(0, 2);

    int* produced = nullptr;
    int* consumed = nullptr;
    cudaStream_t producer = nullptr;
    cudaStream_t consumer = nullptr;
    cudaEvent_t ready = nullptr;
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaMalloc(&produced, sizeof(int)));
    lockstep::check(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
    lockstep::check(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    lockstep::load_kernels(store, fetch);
    lockstep::check(cudaSetDevice(0));
    lockstep::check(cudaDeviceEnablePeerAccess(1, 0));
    lockstep::check(cudaMalloc(&consumed, sizeof(int)));
    lockstep::check(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
    lockstep::load_kernels(store, fetch);

    int found[2] = {};
    bool patient = true;
    for (const bool with_event : {false, true}) {
        lockstep::check(cudaSetDevice(1));
        lockstep::check(cudaMemset(produced, 0, sizeof(int)));
        lockstep::check(cudaDeviceSynchronize());
        lockstep::stream_latch latch;
        // [order]
        latch.hold(producer);  // the producer is slow
        store<<<1, 1, 0, producer>>>(produced, 42);
        lockstep::check(cudaEventRecord(ready, producer));
        lockstep::check(cudaSetDevice(0));
        if (with_event) lockstep::check(cudaStreamWaitEvent(consumer, ready, 0));
        fetch<<<1, 1, 0, consumer>>>(produced, consumed);
        // [/order]
        lockstep::check(cudaGetLastError());
        if (!with_event) lockstep::check(cudaStreamSynchronize(consumer));
        latch.open();
        lockstep::check(cudaStreamSynchronize(consumer));
        lockstep::check(
            cudaMemcpy(&found[with_event], consumed, sizeof(int), cudaMemcpyDefault));
        lockstep::check(cudaStreamSynchronize(producer));
        patient = patient && !latch.gave_up();
    }
    lockstep::report("without the event, read", found[0]);
    lockstep::report("with the event, read", found[1]);
    lockstep::check(cudaEventDestroy(ready));
    lockstep::check(cudaStreamDestroy(producer));
    lockstep::check(cudaStreamDestroy(consumer));
    lockstep::check(cudaFree(produced));
    lockstep::check(cudaFree(consumed));
    return found[0] == 0 && found[1] == 42 && patient ? EXIT_SUCCESS : EXIT_FAILURE;
}
