// May a host function call CUDA? No. The calls that it makes return
// cudaErrorNotPermitted and do nothing. A program that ignores their codes, as one may
// in a hurry, has no memory and no copy.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [host-function]
/// What the host function tried, and what it got.
struct attempts {
    cudaStream_t stream;   ///< an idle stream, not the one that the function runs in
    cudaError_t allocate;  ///< what cudaMalloc returned
    cudaError_t query;     ///< what cudaStreamQuery returned
    void* d_memory;        ///< null before and, since nothing was allocated, after
};

/// Makes CUDA calls where they are not allowed.
/// @param data  attempts
void call_cuda(void* data) {
    auto* tried = static_cast<attempts*>(data);
    tried->allocate = cudaMalloc(&tried->d_memory, 1024);
    tried->query = cudaStreamQuery(tried->stream);
}
// [/host-function]

int main() {
    lockstep::require_device();

    cudaStream_t stream = nullptr;
    cudaStream_t idle = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::check(cudaStreamCreate(&idle));
    attempts tried{idle, cudaErrorUnknown, cudaErrorUnknown, nullptr};
    lockstep::check(cudaLaunchHostFunc(stream, call_cuda, &tried));
    const cudaError_t wait = cudaStreamSynchronize(stream);

    lockstep::report("cudaMalloc inside", cudaGetErrorName(tried.allocate));
    lockstep::report("pointer is still null", tried.d_memory == nullptr);
    lockstep::report("cudaStreamQuery inside", cudaGetErrorName(tried.query));
    lockstep::report("the stream afterwards", cudaGetErrorName(wait));
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaStreamDestroy(idle));
    const bool refused =
        tried.allocate == cudaErrorNotPermitted && tried.query == cudaErrorNotPermitted;
    return refused && !tried.d_memory && wait == cudaSuccess ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
