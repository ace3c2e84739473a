// cudaMalloc is forbidden during a capture, to all threads or to one, depending on the
// capture's mode. Which other calls that name no capturing stream are treated so? Each
// is made during a capture in each mode, by the thread that captures.

#include <cstdio>
#include <cstdlib>

#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal,
                                           cudaStreamCaptureModeThreadLocal,
                                           cudaStreamCaptureModeRelaxed};

/// Does nothing.
__global__ void nothing() {}

/// Does nothing either; each is loaded when it is launched for the first time.
template <int>
__global__ void cold() {}

/// A word for what a call returned.
const char* word(cudaError_t error) {
    if (error == cudaSuccess) return "allowed";
    if (error == cudaErrorStreamCaptureUnsupported) return "refused";
    return cudaGetErrorName(error);
}

int main() {
    lockstep::require_device();
    const lockstep::owned_stream other;  // takes part in no capture
    const lockstep::owned_event recorded(cudaEventDisableTiming);
    lockstep::check(cudaEventRecord(recorded, other));
    lockstep::check(cudaDeviceSynchronize());

    // [one-case]
    const auto during_capture = [](cudaStreamCaptureMode mode, auto call) {
        const lockstep::owned_stream stream;
        lockstep::check(cudaStreamBeginCapture(stream, mode));
        nothing<<<1, 1, 0, stream>>>();
        lockstep::check(cudaGetLastError());
        const cudaError_t error = call();
        cudaGraph_t graph = nullptr;
        const cudaError_t end = cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();  // cleared: the calls' own statuses are kept
        if (graph) lockstep::check(cudaGraphDestroy(graph));
        return error == cudaSuccess ? end : error;
    };
    // [/one-case]
    bool right = true;
    std::printf("%-28s%-14s%-14s%s\n", "call", "global", "thread-local", "relaxed");
    const auto row = [&](const char* label, auto prepare, auto call) {
        cudaError_t found[3] = {};
        for (int i = 0; i < 3; ++i) {
            prepare();
            found[i] = during_capture(modes[i], call);
        }
        prepare();  // as before, so that nothing is left over
        std::printf("%-28s%-14s%-14s%s\n", label, word(found[0]), word(found[1]),
                    word(found[2]));
        return found[2] == cudaSuccess;
    };

    // [memory]
    void* memory = nullptr;
    const auto give_back = [&] {
        lockstep::check(cudaFree(memory));
        memory = nullptr;
    };
    right &= row("cudaMalloc", give_back, [&] { return cudaMalloc(&memory, 256); });
    const auto allocate = [&] {
        if (!memory) lockstep::check(cudaMalloc(&memory, 256));
    };
    row("cudaFree", allocate, [&] {
        const cudaError_t error = cudaFree(memory);
        if (error == cudaSuccess) memory = nullptr;
        return error;
    });
    give_back();
    // [/memory]
    void* host = nullptr;
    const auto give_back_host = [&] {
        lockstep::check(cudaFreeHost(host));
        host = nullptr;
    };
    row("cudaMallocHost", give_back_host, [&] { return cudaMallocHost(&host, 256); });

    cudaEvent_t event = nullptr;
    const auto destroy_event = [&] {
        if (event) lockstep::check(cudaEventDestroy(event));
        event = nullptr;
    };
    row("cudaEventCreate", destroy_event, [&] { return cudaEventCreate(&event); });
    cudaStream_t made = nullptr;
    const auto destroy_stream = [&] {
        if (made) lockstep::check(cudaStreamDestroy(made));
        made = nullptr;
    };
    row("cudaStreamCreate", destroy_stream, [&] { return cudaStreamCreate(&made); });

    // [outside]
    const auto nothing_to_do = [] {};
    row("query of another event", nothing_to_do,
        [&] { return cudaEventQuery(recorded); });
    row("wait for another stream", nothing_to_do,
        [&] { return cudaStreamSynchronize(other); });
    int launches = 0;
    void (*const kernels[])() = {cold<0>, cold<1>, cold<2>};
    row("first launch of a kernel", nothing_to_do, [&] {
        kernels[launches++]<<<1, 1, 0, other>>>();
        return cudaGetLastError();
    });
    // [/outside]
    lockstep::check(cudaDeviceSynchronize());
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
