// How does one learn that the first of two kernels is done, without waiting for the
// second? Record an event between them. The second kernel is held at a latch here: the
// event is complete while the stream is still busy. Recording the event again moves it
// to the end of what is in the stream by then.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a number.
/// @param where  one int in pinned host memory
/// @param value  the number
__global__ void store(int* where, int value) { *where = value; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool again = options.flag("record-again");
    options.finish();
    lockstep::require_device();

    int* results = nullptr;
    lockstep::check(cudaMallocHost(&results, 2 * sizeof(int)));
    results[0] = -1;
    results[1] = -1;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::stream_latch latch;
    lockstep::load_kernels(store);

    // [record]
    cudaEvent_t first_done = nullptr;
    lockstep::check(cudaEventCreate(&first_done));
    store<<<1, 1, 0, stream>>>(&results[0], 1);
    lockstep::check(cudaEventRecord(first_done, stream));
    latch.hold(stream);
    store<<<1, 1, 0, stream>>>(&results[1], 2);
    lockstep::check(cudaGetLastError());
    // [/record]

    // [wait]
    // the host stops here until the first kernel is done
    lockstep::check(cudaEventSynchronize(first_done));
    if (again) lockstep::check(cudaEventRecord(first_done, stream));
    const cudaError_t event_held = cudaEventQuery(first_done);
    const cudaError_t stream_held = cudaStreamQuery(stream);
    const int first = results[0];
    const int second = results[1];
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    const cudaError_t event_end = cudaEventQuery(first_done);
    // [/wait]

    lockstep::report("latch closed: event", cudaGetErrorName(event_held));
    lockstep::report("latch closed: stream", cudaGetErrorName(stream_held));
    lockstep::report("latch closed: first result", first);
    lockstep::report("latch closed: second result", second);
    lockstep::report("at the end: event", cudaGetErrorName(event_end));
    lockstep::report("at the end: second result", results[1]);
    const bool right = event_held == (again ? cudaErrorNotReady : cudaSuccess) &&
                       stream_held == cudaErrorNotReady && event_end == cudaSuccess &&
                       first == 1 && second == -1 && results[1] == 2 &&
                       !latch.gave_up();
    // [destroy]
    lockstep::check(cudaEventDestroy(first_done));
    lockstep::check(cudaStreamDestroy(stream));
    // [/destroy]
    lockstep::check(cudaFreeHost(results));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
