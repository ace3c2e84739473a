// A second stream joins a capture, and never returns to the first.

#include <lockstep/provoke.hpp>

// [kernel]
__global__ void nothing() {}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t fork = nullptr;
    lockstep::check(cudaStreamCreate(&first));
    lockstep::check(cudaStreamCreate(&second));
    lockstep::check(cudaEventCreate(&fork));
    lockstep::check(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaEventRecord(fork, first));
    lockstep::check(cudaStreamWaitEvent(second, fork));
    nothing<<<1, 1, 0, second>>>();
    cudaGraph_t graph = nullptr;
    return cudaStreamEndCapture(first, &graph);
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
    lockstep::check(cudaStreamCreate(&first));
    lockstep::check(cudaStreamCreate(&second));
    lockstep::check(cudaEventCreate(&fork));
    lockstep::check(cudaEventCreate(&join));
    lockstep::check(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaEventRecord(fork, first));
    lockstep::check(cudaStreamWaitEvent(second, fork));
    nothing<<<1, 1, 0, second>>>();
    lockstep::check(cudaEventRecord(join, second));
    lockstep::check(cudaStreamWaitEvent(first, join));
    cudaGraph_t graph = nullptr;
    return cudaStreamEndCapture(first, &graph);
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorStreamCaptureUnjoined, wrong, mended); }
