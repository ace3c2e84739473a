// What is cudaStreamAddCallback, which older programs use? It too runs a function of
// the host in stream order, but passes it the stream and a status as well, and its last
// parameter must be 0. New programs use cudaLaunchHostFunc.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

/// Works for a few milliseconds, then stores a number.
/// @param where  one int in device memory
__global__ void store(volatile int* where) {
    const long long start = clock64();
    while (clock64() - start < 10'000'000) {
    }
    *where = 42;
}

// [callback]
/// What the functions in the stream found.
struct finding {
    bool called;  ///< the callback ran
    bool host_function_ran;  ///< the host function ran
    cudaError_t status;  ///< the callback's second argument
    cudaStream_t stream;  ///< the callback's first argument
};

/// A callback of the old kind; makes no CUDA calls.
/// @param stream  the stream that it was added to
/// @param status  how the work of the stream went so far
/// @param data    a finding
void CUDART_CB note_status(cudaStream_t stream, cudaError_t status, void* data) {
    auto* found = static_cast<finding*>(data);
    found->called = true;
    found->status = status;
    found->stream = stream;
}

/// A host function of the new kind.
/// @param data  a finding
void note_run(void* data) { static_cast<finding*>(data)->host_function_ran = true; }
// [/callback]

int main() {
    lockstep::require_device();

    int* d_number = nullptr;
    lockstep::check(cudaMalloc(&d_number, sizeof(int)));
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));

    // [add]
    finding found{false, false, cudaErrorUnknown, nullptr};
    store<<<1, 1, 0, stream>>>(d_number);
    lockstep::check(cudaGetLastError());
    const cudaError_t flags_zero =
        cudaStreamAddCallback(stream, note_status, &found, 0);
    const cudaError_t flags_one = cudaStreamAddCallback(stream, note_status, &found, 1);
    const cudaError_t host_function = cudaLaunchHostFunc(stream, note_run, &found);
    const cudaError_t wait = cudaStreamSynchronize(stream);
    // [/add]

    lockstep::report("added with flags 0", cudaGetErrorName(flags_zero));
    lockstep::report("added with flags 1", cudaGetErrorName(flags_one));
    lockstep::report("the wait", cudaGetErrorName(wait));
    lockstep::report("callback was called", found.called);
    lockstep::report("status it received", cudaGetErrorName(found.status));
    lockstep::report("stream it received is ours", found.stream == stream);
    lockstep::report("host function was called", found.host_function_ran);
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFree(d_number));
    const bool added = flags_zero == cudaSuccess &&
                       flags_one == cudaErrorInvalidValue &&
                       host_function == cudaSuccess;
    const bool called =
        found.called && found.status == cudaSuccess && found.stream == stream;
    return added && called && found.host_function_ran && wait == cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
