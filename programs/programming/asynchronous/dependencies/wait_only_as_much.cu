// Which wait waits for what? One stream is held at a latch for a fifth of a second.
// Waiting for an event or for the other stream ends at once. Waiting for the device
// ends only when the held stream is empty too, even if the work that the host needs
// was done long before.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Adds one.
/// @param where  one int in pinned host memory
__global__ void increment(int* where) { *where += 1; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool blocking = options.choice("copy", {"none", "blocking"}) == 1;
    options.finish();
    lockstep::require_device();

    int* count = nullptr;
    int* d_count = nullptr;
    lockstep::check(cudaMallocHost(&count, sizeof(int)));
    lockstep::check(cudaMalloc(&d_count, sizeof(int)));
    *count = 0;
    cudaStream_t slow = nullptr;
    cudaStream_t quick = nullptr;
    cudaEvent_t first_done = nullptr;
    lockstep::check(cudaStreamCreate(&slow));
    lockstep::check(cudaStreamCreate(&quick));
    lockstep::check(cudaEventCreateWithFlags(&first_done, cudaEventDisableTiming));
    lockstep::stream_latch latch;
    lockstep::load_kernels(increment);

    // [waits]
    latch.hold(slow, 400'000'000);  // about a fifth of a second
    increment<<<1, 1, 0, quick>>>(count);
    lockstep::check(cudaEventRecord(first_done, quick));
    increment<<<1, 1, 0, quick>>>(count);
    lockstep::check(cudaGetLastError());

    lockstep::check(cudaEventSynchronize(first_done));  // the first increment is done
    const bool slow_after_event = latch.closed();
    lockstep::check(cudaStreamSynchronize(quick));  // both increments are done
    const bool slow_after_stream = latch.closed();
    if (blocking)
        lockstep::check(
            cudaMemcpy(d_count, count, sizeof(int), cudaMemcpyHostToDevice));
    const bool slow_after_copy = latch.closed();
    // everything is done, the slow stream too
    lockstep::check(cudaDeviceSynchronize());
    const bool slow_after_device = latch.closed();
    // [/waits]

    lockstep::report("slow stream still busy after", "");
    lockstep::report("  cudaEventSynchronize", slow_after_event);
    lockstep::report("  cudaStreamSynchronize", slow_after_stream);
    if (blocking) lockstep::report("  cudaMemcpy", slow_after_copy);
    lockstep::report("  cudaDeviceSynchronize", slow_after_device);
    const bool right = slow_after_event && slow_after_stream &&
                       slow_after_copy == !blocking && !slow_after_device;
    const bool counted = *count == 2;
    lockstep::check(cudaEventDestroy(first_done));
    lockstep::check(cudaStreamDestroy(slow));
    lockstep::check(cudaStreamDestroy(quick));
    lockstep::check(cudaFree(d_count));
    lockstep::check(cudaFreeHost(count));
    return right && counted ? EXIT_SUCCESS : EXIT_FAILURE;
}
