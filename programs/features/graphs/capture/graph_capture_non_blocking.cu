// May the legacy stream be used while another stream captures? That depends on the
// capturing stream: a blocking one makes the call fail, and one that was created with
// cudaStreamNonBlocking does not wait for the legacy stream. Each call is made during
// captures by both.

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
    const auto during_capture = [&](const char* what, unsigned flags, auto call) {
        const lockstep::owned_stream stream(flags);
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        count<<<1, 1, 0, stream>>>(runs + 1);
        lockstep::check(cudaGetLastError());
        const cudaError_t error = call();
        const cudaError_t end = cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();  // launches report there, too
        const bool blocking = flags == cudaStreamDefault;
        std::printf("%-23s%-14s%-36s%-36s%s\n", what,
                    blocking ? "blocking" : "non-blocking", cudaGetErrorName(error),
                    cudaGetErrorName(end), graph ? "yes" : "none");
        if (graph) lockstep::check(cudaGraphDestroy(graph));
        right = right && (!blocking || error != cudaSuccess);
    };
    // [/one-case]
    std::printf("%-23s%-14s%-36s%-36s%s\n", "call", "stream", "returns",
                "end of capture returns", "graph");
    for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
        // [calls]
        during_capture("cudaMemcpy", flags, [&] {
            return cudaMemcpy(&x, runs, sizeof x, cudaMemcpyDeviceToHost);
        });
        during_capture("legacy stream: kernel", flags, [&] {
            count<<<1, 1, 0, cudaStreamLegacy>>>(runs);
            return cudaGetLastError();
        });
        during_capture("cudaDeviceSynchronize", flags,
                       [] { return cudaDeviceSynchronize(); });
        // [/calls]
    }
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<int> found = d_runs.to_host();
    std::printf("%-46s%d\n", "kernels of the legacy stream that ran", found[0]);
    std::printf("%-46s%d\n", "captured kernels that ran", found[1]);
    return right && found[1] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
