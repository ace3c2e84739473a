// What does a stream do with work that is enqueued after a capture? It keeps the order
// of everything that was *not* captured: the next operation waits for what the stream
// held before the capture began. What was captured in between is not there any more.

#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores 1.
/// @param place  one int in pinned host memory, written
__global__ void mark(volatile int* place) { *place = 1; }

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::stream_latch latch;
    lockstep::load_kernels(mark);
    int* marks = nullptr;
    lockstep::check(cudaMallocHost(&marks, 2 * sizeof(int)));
    marks[0] = marks[1] = 0;

    // [order]
    latch.hold(stream);  // before the capture: waits until the host opens it
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    mark<<<1, 1, 0, stream>>>(&marks[0]);  // captured
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    mark<<<1, 1, 0, stream>>>(&marks[1]);  // after the capture
    lockstep::check(cudaGetLastError());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const cudaError_t held = cudaStreamQuery(stream);
    const int early = *static_cast<volatile int*>(&marks[1]);
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    // [/order]
    lockstep::report("stream, latch closed", cudaGetErrorName(held));
    lockstep::report("later kernel, latch closed", early);
    lockstep::report("later kernel, latch open", marks[1]);
    lockstep::report("captured kernel", marks[0]);
    const bool right =
        held == cudaErrorNotReady && early == 0 && marks[1] == 1 && marks[0] == 0;
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaFreeHost(marks));
    return right && !latch.gave_up() ? EXIT_SUCCESS : EXIT_FAILURE;
}
