// The host waits for a stream whose work is being captured, not done.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
__global__ void nothing() {}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, stream>>>();
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaStreamSynchronize(stream);
    cudaGraph_t graph = nullptr;
    // ends the capture, which the wait has invalidated
    const cudaError_t end = cudaStreamEndCapture(stream, &graph);
    lockstep::check(cudaStreamDestroy(stream));
    return end == cudaErrorStreamCaptureInvalidated ? error : end;
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, stream>>>();
    lockstep::check(cudaGetLastError());
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));  // runs the kernel
    const cudaError_t error = cudaStreamSynchronize(stream);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaStreamDestroy(stream));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorStreamCaptureUnsupported, wrong,
                                  fixed);
}
