// Which threads does a capture restrict? A capture does not see calls such as
// cudaMalloc, so it forbids them: to all threads in the global mode, to the thread
// that captures in the thread-local mode, to none in the relaxed mode.

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// Tries a call that is not safe during a capture.
cudaError_t try_to_allocate() {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, 256);
    if (error == cudaSuccess) lockstep::check(cudaFree(memory));
    cudaGetLastError();  // cleared: the call's own status is kept
    return error;
}

/// The same on a thread of its own.
cudaError_t try_on_another_thread() {
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = try_to_allocate(); }).join();
    return error;
}

int main() {
    lockstep::require_device();

    const struct {
        const char* name;
        cudaStreamCaptureMode mode;
    } modes[] = {{"global", cudaStreamCaptureModeGlobal},
                 {"thread-local", cudaStreamCaptureModeThreadLocal},
                 {"relaxed", cudaStreamCaptureModeRelaxed}};
    bool relaxed_allows = true;
    std::printf("%-14s%-36s%-36s%s\n", "mode", "cudaMalloc in the same thread",
                "cudaMalloc in another thread", "graph");
    for (const auto& [name, mode] : modes) {
        // [modes]
        cudaError_t errors[2] = {};
        int graphs = 0;
        for (int other_thread = 0; other_thread < 2; ++other_thread) {
            const lockstep::owned_stream stream;
            lockstep::check(cudaStreamBeginCapture(stream, mode));
            nothing<<<1, 1, 0, stream>>>();
            lockstep::check(cudaGetLastError());
            errors[other_thread] =
                other_thread ? try_on_another_thread() : try_to_allocate();
            cudaGraph_t graph = nullptr;
            const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
            cudaGetLastError();  // cleared: the calls' own statuses are kept
            if (ended != cudaSuccess) continue;
            ++graphs;
            lockstep::check(cudaGraphDestroy(graph));
        }
        // [/modes]
        std::printf("%-14s%-36s%-36s%d of 2\n", name, cudaGetErrorName(errors[0]),
                    cudaGetErrorName(errors[1]), graphs);
        if (mode == cudaStreamCaptureModeRelaxed)
            relaxed_allows = errors[0] == cudaSuccess && errors[1] == cudaSuccess;
    }

    // [exchange]
    const lockstep::owned_stream stream;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureMode mine = cudaStreamCaptureModeRelaxed;
    lockstep::check(cudaThreadExchangeStreamCaptureMode(&mine));  // now relaxed
    const cudaError_t inside = try_to_allocate();
    lockstep::check(cudaThreadExchangeStreamCaptureMode(&mine));  // as before
    cudaGraph_t graph = nullptr;
    const cudaError_t end = cudaStreamEndCapture(stream, &graph);
    // [/exchange]
    lockstep::report("global, thread exempted", cudaGetErrorName(inside));
    lockstep::report("end of that capture", cudaGetErrorName(end));
    if (graph) lockstep::check(cudaGraphDestroy(graph));

    // [wrong-thread]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaError_t elsewhere = cudaSuccess;
    std::thread([&] { elsewhere = cudaStreamEndCapture(stream, &graph); }).join();
    // [/wrong-thread]
    lockstep::report("end in another thread", cudaGetErrorName(elsewhere));
    cudaStreamEndCapture(stream, &graph);  // whatever became of the capture
    cudaGetLastError();  // cleared: nothing follows from it
    return relaxed_allows && inside == cudaSuccess && elsewhere != cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
