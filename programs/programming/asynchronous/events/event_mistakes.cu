// What do events answer when they are used wrongly? An event that was never
// recorded counts as complete: waiting for it does not wait. Only cudaEventElapsedTime
// returns an error: both events must be recorded, complete, and made with timing.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

int main() {
    lockstep::require_device();

    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::stream_latch latch;
    bool right = true;
    const auto row = [&](const char* label, cudaError_t found, cudaError_t expected) {
        lockstep::report(label, cudaGetErrorName(found));
        right = right && found == expected;
        cudaGetLastError();  // the next row starts without a last error
    };

    // [events]
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    cudaEvent_t untimed = nullptr;
    lockstep::check(cudaEventCreate(&start));
    lockstep::check(cudaEventCreate(&stop));
    lockstep::check(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    // [/events]
    float ms = 0;
    // [mistakes]
    row("query, never recorded", cudaEventQuery(stop), cudaSuccess);
    row("wait, never recorded", cudaEventSynchronize(stop), cudaSuccess);
    row("stream waits, no record", cudaStreamWaitEvent(stream, stop, 0), cudaSuccess);
    row("elapsed, never recorded", cudaEventElapsedTime(&ms, start, stop),
        cudaErrorInvalidResourceHandle);

    lockstep::check(cudaEventRecord(start, stream));
    latch.hold(stream);
    lockstep::check(cudaEventRecord(stop, stream));
    lockstep::check(cudaEventRecord(untimed, stream));
    row("elapsed, not complete", cudaEventElapsedTime(&ms, start, stop),
        cudaErrorNotReady);
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    row("elapsed, complete", cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
    row("elapsed, without timing", cudaEventElapsedTime(&ms, start, untimed),
        cudaErrorInvalidResourceHandle);
    // [/mistakes]

    lockstep::check(cudaEventDestroy(start));
    lockstep::check(cudaEventDestroy(stop));
    lockstep::check(cudaEventDestroy(untimed));
    lockstep::check(cudaStreamDestroy(stream));
    return right && !latch.gave_up() ? EXIT_SUCCESS : EXIT_FAILURE;
}
