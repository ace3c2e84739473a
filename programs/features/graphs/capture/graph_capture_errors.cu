// What may a program not do while a stream captures? It may not wait for captured work,
// nor ask whether it has finished, since it never runs; and it may not use the legacy
// default stream beside a blocking stream that captures. Each such call fails and
// invalidates the capture: its end fails too and gives no graph, but the stream works
// again.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(1);
    int x = 0;
    const lockstep::owned_event captured(cudaEventDisableTiming);
    bool right = true;

    // [one-case]
    const auto during_capture = [&](const char* what, auto call) {
        const lockstep::owned_stream stream(cudaStreamDefault);  // a blocking stream
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        nothing<<<1, 1, 0, stream>>>();
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(captured, stream));
        const cudaError_t error = call(stream);
        cudaGraph_t graph = nullptr;
        const cudaError_t end = cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();  // launches report there, too
        nothing<<<1, 1, 0, stream>>>();
        cudaError_t again = cudaGetLastError();
        if (again == cudaSuccess) again = cudaStreamSynchronize(stream);
        std::printf("%-24s%-36s%-36s%-7s%s\n", what, cudaGetErrorName(error),
                    cudaGetErrorName(end), graph ? "yes" : "none",
                    again == cudaSuccess ? "works" : "fails");
        if (graph) lockstep::check(cudaGraphDestroy(graph));
        right = right && error != cudaSuccess && again == cudaSuccess;
    };
    // [/one-case]
    std::printf("%-24s%-36s%-36s%-7s%s\n", "call", "returns", "end of capture returns",
                "graph", "stream");

    // [waiting]
    during_capture("cudaStreamSynchronize",
                   [](cudaStream_t s) { return cudaStreamSynchronize(s); });
    during_capture("cudaStreamQuery",
                   [](cudaStream_t s) { return cudaStreamQuery(s); });
    during_capture("cudaEventSynchronize",
                   [&](cudaStream_t) { return cudaEventSynchronize(captured); });
    during_capture("cudaEventQuery",
                   [&](cudaStream_t) { return cudaEventQuery(captured); });
    during_capture("cudaDeviceSynchronize",
                   [](cudaStream_t) { return cudaDeviceSynchronize(); });
    // [/waiting]

    // [legacy]
    during_capture("cudaMemcpy", [&](cudaStream_t) {
        return cudaMemcpy(&x, d_x.data(), sizeof x, cudaMemcpyDeviceToHost);
    });
    during_capture("legacy stream: kernel", [](cudaStream_t) {
        nothing<<<1, 1, 0, cudaStreamLegacy>>>();
        return cudaGetLastError();
    });
    // [/legacy]

    // [others]
    during_capture("cudaStreamBeginCapture", [](cudaStream_t s) {
        return cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    });
    during_capture("kernel after a mistake", [](cudaStream_t s) {
        cudaStreamQuery(s);  // the mistake
        nothing<<<1, 1, 0, s>>>();
        return cudaGetLastError();
    });
    // [/others]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
