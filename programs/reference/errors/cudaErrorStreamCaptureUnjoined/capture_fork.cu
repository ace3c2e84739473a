// A second stream joins a capture, and never returns to the first.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

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
    lockstep::check(cudaGetLastError());
    cudaGraph_t graph = nullptr;
    return cudaStreamEndCapture(first, &graph);
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
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
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(join, second));
    lockstep::check(cudaStreamWaitEvent(first, join));
    cudaGraph_t graph = nullptr;
    return cudaStreamEndCapture(first, &graph);
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorStreamCaptureUnjoined, wrong,
                                  fixed);
}
