// May the legacy stream be used while another stream captures? That depends on the
// capturing stream: a blocking one makes the call fail, and one that was created with
// cudaStreamNonBlocking does not wait for the legacy stream. Each call is made during
// captures by both, in two modes.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Counts its runs; one thread.
/// @param runs  an int in device memory, increased by one
__global__ void count(int* runs) { ++*runs; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_runs(2);  // of the call's kernel, of the captured
    d_runs.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    int* runs = d_runs.data();
    int x = 0;
    bool right = true;

    // [one-case]
    const auto during_capture = [&](const char* what, unsigned flags,
                                    cudaStreamCaptureMode mode, auto call) {
        const lockstep::owned_stream stream(flags);
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, mode));
        count<<<1, 1, 0, stream>>>(runs + 1);
        lockstep::check(cudaGetLastError());
        const cudaError_t error = call();
        const cudaError_t end = cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();  // launches report there, too
        const bool blocking = flags == cudaStreamDefault;
        std::printf("%-23s%-14s%-9s%-36s%-36s%s\n", what,
                    blocking ? "blocking" : "non-blocking",
                    mode == cudaStreamCaptureModeGlobal ? "global" : "relaxed",
                    cudaGetErrorName(error), cudaGetErrorName(end),
                    graph ? "yes" : "none");
        if (graph) lockstep::check(cudaGraphDestroy(graph));
        right = right && (!blocking || error != cudaSuccess);
    };
    // [/one-case]
    std::printf("%-23s%-14s%-9s%-36s%-36s%s\n", "call", "stream", "mode", "returns",
                "end of capture returns", "graph");
    for (const auto mode : {cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeGlobal})
        for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
            // [calls]
            during_capture("cudaMemcpy", flags, mode, [&] {
                return cudaMemcpy(&x, runs, sizeof x, cudaMemcpyDeviceToHost);
            });
            during_capture("legacy stream: kernel", flags, mode, [&] {
                count<<<1, 1, 0, cudaStreamLegacy>>>(runs);
                return cudaGetLastError();
            });
            during_capture("cudaDeviceSynchronize", flags, mode,
                           [] { return cudaDeviceSynchronize(); });
            // [/calls]
        }
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<int> found = d_runs.to_host();
    std::printf("%-46s%d\n", "kernels of the legacy stream that ran", found[0]);
    std::printf("%-46s%d\n", "captured kernels that ran", found[1]);
    return right && found[1] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
