// May a program destroy a stream that still has work to do? Yes. The call returns at
// once, the queued work runs to its end, and only the handle is gone. What one loses is
// the means to wait for this one stream; an event recorded before still tells when its
// work is done.

#include <chrono>
#include <cstdlib>

#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a number.
/// @param where  one int in pinned host memory
/// @param value  the number
__global__ void store(int* where, int value) { *where = value; }

int main() {
    lockstep::require_device();

    int* result = nullptr;
    lockstep::check(cudaMallocHost(&result, sizeof(int)));
    *result = -1;
    cudaStream_t stream = nullptr;
    cudaEvent_t last = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::check(cudaEventCreate(&last));
    lockstep::stream_latch latch;
    lockstep::load_kernels(store);

    // [destroy]
    latch.hold(stream);
    store<<<1, 1, 0, stream>>>(result, 42);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(last, stream));

    const auto begin = std::chrono::steady_clock::now();
    lockstep::check(cudaStreamDestroy(stream));
    const auto end = std::chrono::steady_clock::now();
    const bool still_held = latch.closed();
    const int before = *result;
    latch.open();
    lockstep::check(cudaEventSynchronize(last));
    // [/destroy]

    lockstep::report("returned, latch closed", still_held);
    lockstep::report(
        "the call took",
        lockstep::measured{
            std::chrono::duration<double, std::micro>(end - begin).count()},
        "us");
    lockstep::report("result at that time", before);
    lockstep::report("result after the event", *result);
    const bool right = still_held && before == -1 && *result == 42 && !latch.gave_up();
    lockstep::check(cudaEventDestroy(last));
    lockstep::check(cudaFreeHost(result));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
