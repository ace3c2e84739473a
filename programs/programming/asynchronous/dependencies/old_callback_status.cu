// What is cudaStreamAddCallback, which older programs use? It too runs a function of
// the host in stream order, but passes it the stream and a status as well, and its last
// parameter must be 0. After an error of the GPU the callback is still called, with the
// error as its status; a function of cudaLaunchHostFunc is not called at all.

#include <atomic>
#include <chrono>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Works for a few milliseconds, then stores a number.
/// @param where  one int in device memory; another address is a fault
__global__ void store(int* where) {
    const long long start = clock64();
    while (clock64() - start < 10'000'000) {
    }
    *where = 42;
}

// [callback]
/// What the functions in the stream found.
struct finding {
    cudaError_t status = cudaErrorUnknown;  ///< the callback's second argument
    cudaStream_t stream = nullptr;  ///< the callback's first argument
    std::atomic<bool> called{false};  ///< the callback ran
    std::atomic<bool> host_function_ran{false};  ///< the host function ran
};

/// A callback of the old kind; makes no CUDA calls.
/// @param stream  the stream that it was added to
/// @param status  how the work of the stream went so far
/// @param data    a finding
void CUDART_CB note_status(cudaStream_t stream, cudaError_t status, void* data) {
    auto* found = static_cast<finding*>(data);
    found->status = status;
    found->stream = stream;
    found->called = true;
}

/// A host function of the new kind.
/// @param data  a finding
void note_run(void* data) { static_cast<finding*>(data)->host_function_ran = true; }
// [/callback]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fault = options.choice("kernel", {"right", "faulty"}) == 1;
    options.finish();
    lockstep::require_device();

    int* d_number = nullptr;
    lockstep::check(cudaMalloc(&d_number, sizeof(int)));
    // nothing was allocated at address 16
    int* where = fault ? reinterpret_cast<int*>(16) : d_number;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));

    // [add]
    finding found;
    store<<<1, 1, 0, stream>>>(where);
    lockstep::check(cudaGetLastError());
    const cudaError_t flags_zero =
        cudaStreamAddCallback(stream, note_status, &found, 0);
    const cudaError_t flags_one = cudaStreamAddCallback(stream, note_status, &found, 1);
    const cudaError_t host_function = cudaLaunchHostFunc(stream, note_run, &found);
    const cudaError_t wait = cudaStreamSynchronize(stream);
    // [/add]
    // after a fault the wait may return before the callback has run
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (fault && std::chrono::steady_clock::now() < end) {
    }

    const bool called = found.called;
    const bool host_function_ran = found.host_function_ran;
    lockstep::report("added with flags 0", cudaGetErrorName(flags_zero));
    lockstep::report("added with flags 1", cudaGetErrorName(flags_one));
    lockstep::report("host function added", cudaGetErrorName(host_function));
    lockstep::report("wait for the stream", cudaGetErrorName(wait));
    lockstep::report("callback was called", called);
    lockstep::report("status it received",
                     called ? cudaGetErrorName(found.status) : "none");
    lockstep::report("stream it received is ours", called && found.stream == stream);
    lockstep::report("host function was called", host_function_ran);
    const bool added = flags_zero == cudaSuccess &&
                       flags_one == cudaErrorInvalidValue &&
                       host_function == cudaSuccess;
    // after a fault the calls that destroy fail as well
    if (fault)
        return added && wait == cudaErrorIllegalAddress && !host_function_ran
                   ? EXIT_SUCCESS
                   : EXIT_FAILURE;
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFree(d_number));
    const bool right = called && found.status == cudaSuccess && found.stream == stream;
    return added && right && host_function_ran && wait == cudaSuccess ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE;
}
