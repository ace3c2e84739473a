// How do several streams become one graph? An event that was recorded in a capturing
// stream brings each stream that waits for it into the same capture. The same diamond
// of four kernels as with the explicit API comes out: four nodes and four edges. Every
// stream must be joined to the first one before the capture ends.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores factor * (*a + *b).
/// @param factor  what the sum is multiplied by
/// @param a, b    operands in device memory
/// @param out     result in device memory, written
__global__ void combine(int factor, const int* a, const int* b, int* out) {
    *out = factor * (*a + *b);
}

/// Number of the capture that a stream takes part in; 0 if in none.
/// @param stream  the stream
unsigned long long capture_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    lockstep::check(cudaStreamGetCaptureInfo(stream, &status, &id, nullptr, nullptr,
                                             nullptr, nullptr));
    return status == cudaStreamCaptureStatusActive ? id : 0;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_values(std::vector<int>{1, -1, -1, -1, -1});
    int* v = d_values.data();
    const lockstep::owned_stream stream, other;

    // [fork-join]
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
    lockstep::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    lockstep::check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    combine<<<1, 1, 0, stream>>>(2, v, v, v + 1);  // top
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(other, fork));  // other joins the capture
    combine<<<1, 1, 0, stream>>>(3, v + 1, v + 1, v + 2);  // left
    combine<<<1, 1, 0, other>>>(5, v + 1, v + 1, v + 3);  // right
    lockstep::check(cudaGetLastError());
    const bool same_capture = capture_of(stream) == capture_of(other);
    lockstep::check(cudaEventRecord(join, other));
    lockstep::check(cudaStreamWaitEvent(stream, join));
    combine<<<1, 1, 0, stream>>>(1, v + 2, v + 3, v + 4);  // bottom
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &graph));  // in the first stream
    // [/fork-join]
    const bool both_left = capture_of(stream) == 0 && capture_of(other) == 0;

    std::size_t nodes = 0, edges = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int result = d_values.to_host()[4];
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaEventDestroy(fork));
    lockstep::check(cudaEventDestroy(join));

    lockstep::report("both in the same capture", same_capture);
    lockstep::report("nodes", nodes);
    lockstep::report("edges", edges);
    lockstep::report("both left the capture", both_left);
    lockstep::report("result", result);
    const bool right =
        same_capture && both_left && nodes == 4 && edges == 4 && result == 64;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
