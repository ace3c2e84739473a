// Which dependencies between streams does a capture refuse? A forked stream must come
// back, the capture must end where it began, two captures cannot be merged, and
// captured work cannot depend on work that is not captured. For the last case there is
// a way: an external wait becomes a node that waits at each launch.

#include <cstdlib>

#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// Begins a capture and adds a kernel to it.
/// @param stream  where
void begin(cudaStream_t stream) {
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    nothing<<<1, 1, 0, stream>>>();
    lockstep::check(cudaGetLastError());
}

/// Ends a capture; whether it gave a graph.
/// @param stream  where it began
/// @param error   what the call returned, written
bool end(cudaStream_t stream, cudaError_t& error) {
    cudaGraph_t graph = nullptr;
    error = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();  // cleared: the call's own status is kept
    if (graph) lockstep::check(cudaGraphDestroy(graph));
    return graph != nullptr;
}

int main() {
    lockstep::require_device();

    bool right = true;
    const auto refused = [&](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        right = right && error != cudaSuccess;
    };
    cudaError_t error = cudaSuccess;
    const lockstep::owned_stream stream, other;
    const lockstep::owned_event event(cudaEventDisableTiming);

    // [unjoined]
    begin(stream);
    lockstep::check(cudaEventRecord(event, stream));
    lockstep::check(cudaStreamWaitEvent(other, event));
    nothing<<<1, 1, 0, other>>>();
    lockstep::check(cudaGetLastError());
    right = !end(stream, error) && right;  // other was never joined
    refused("a stream is not joined", error);
    // [/unjoined]

    // [wrong-end]
    begin(stream);
    lockstep::check(cudaEventRecord(event, stream));
    lockstep::check(cudaStreamWaitEvent(other, event));
    end(other, error);  // it began in the first stream
    refused("ends in another stream", error);
    end(stream, error);
    refused("and then in its own", error);
    // [/wrong-end]

    // [merge]
    begin(stream);
    begin(other);
    lockstep::check(cudaEventRecord(event, other));
    refused("wait for another capture", cudaStreamWaitEvent(stream, event));
    end(stream, error);
    end(other, error);
    // [/merge]

    // [isolation]
    lockstep::check(cudaEventRecord(event, other));  // other does not capture
    begin(stream);
    refused("wait for uncaptured work", cudaStreamWaitEvent(stream, event));
    end(stream, error);
    refused("and then the end", error);
    // [/isolation]

    // [external]
    lockstep::check(cudaEventRecord(event, other));
    begin(stream);
    const cudaError_t waits = cudaStreamWaitEvent(stream, event, cudaEventWaitExternal);
    const bool graph = end(stream, error);
    lockstep::report("the same, as external wait", cudaGetErrorName(waits));
    lockstep::report("gives a graph", graph);
    // [/external]
    right = right && waits == cudaSuccess && graph;
    lockstep::check(cudaDeviceSynchronize());
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
