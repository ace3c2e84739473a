// Can every asynchronous call be captured? Not quite: some have no node type that could
// stand for them. cudaStreamAttachMemAsync, which assigns managed memory to a stream,
// is one. It fails in a capturing stream and invalidates the capture; before the
// capture it succeeds.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores a number.
/// @param x  one int in managed memory, written
__global__ void store(int* x) { *x = 7; }

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    int* managed = nullptr;
    lockstep::check(cudaMallocManaged(&managed, sizeof(int), cudaMemAttachHost));
    cudaGraph_t graph = nullptr;

    // [inside]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const cudaError_t inside =
        cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle);
    const cudaError_t end = cudaStreamEndCapture(stream, &graph);
    // [/inside]
    lockstep::report("inside of the capture", cudaGetErrorName(inside));
    lockstep::report("end of the capture", cudaGetErrorName(end));
    cudaGetLastError();  // cleared: the call's own status is kept

    // [before]
    const cudaError_t before =
        cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle);
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    store<<<1, 1, 0, stream>>>(managed);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/before]
    lockstep::report("before the capture", cudaGetErrorName(before));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int stored = *managed;
    lockstep::report("stored by the launch", stored);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaFree(managed));
    const bool right = inside != cudaSuccess && end != cudaSuccess && stored == 7;
    return right && before == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
