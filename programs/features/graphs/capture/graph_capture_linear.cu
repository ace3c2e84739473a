// Can work that a library enqueues become part of a graph? Stream capture collects what
// is enqueued into a stream, by a library as well, and runs nothing of it: the result
// is untouched until the graph is launched. Any stream can capture but the legacy
// default stream.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1024;

/// Multiplies each element and adds to it.
/// @param factor, summand  what each element is multiplied by, and what is added
/// @param x                n ints in device memory; one block of n threads
__global__ void scale_and_shift(int factor, int summand, int* x) {
    x[threadIdx.x] = factor * x[threadIdx.x] + summand;
}

// [library]
/// Stands for a library: it takes a stream, and knows nothing of graphs.
/// @param d_x     n ints in device memory
/// @param stream  where the work goes
void library_transform(int* d_x, cudaStream_t stream) {
    scale_and_shift<<<1, n, 0, stream>>>(3, 1, d_x);
    scale_and_shift<<<1, n, 0, stream>>>(2, 5, d_x);
    lockstep::check(cudaGetLastError());
}
// [/library]

/// Counts its calls.
/// @param calls  an int in host memory
void CUDART_CB count_call(void* calls) { ++*static_cast<int*>(calls); }

/// Whether a stream captures at the moment.
/// @param stream  the stream
bool is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    lockstep::check(cudaStreamIsCapturing(stream, &status));
    return status == cudaStreamCaptureStatusActive;
}

int main() {
    lockstep::require_device();

    std::vector<int> x(n, 1), result(n, 0);
    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
    int calls = 0;
    const lockstep::owned_stream stream;

    // [capture]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMemcpyAsync(d_x.data(), x.data(), d_x.bytes(),
                                    cudaMemcpyHostToDevice, stream));
    library_transform(d_x.data(), stream);
    lockstep::check(cudaMemcpyAsync(result.data(), d_x.data(), d_x.bytes(),
                                    cudaMemcpyDefault, stream));
    lockstep::check(cudaLaunchHostFunc(stream, count_call, &calls));
    const bool during = is_capturing(stream);
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/capture]
    std::size_t nodes = 0, edges = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    lockstep::report("capturing in between", during);
    lockstep::report("capturing after the end", is_capturing(stream));
    lockstep::report("nodes", nodes);
    lockstep::report("edges", edges);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("result before any launch", result[0]);

    // [launch]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    for (int launch = 0; launch < 3; ++launch)
        lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/launch]
    lockstep::report("result after three launches", result[0]);
    lockstep::report("calls of the host function", calls);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    // [default-streams]
    const cudaError_t legacy =
        cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal);
    lockstep::report("legacy default stream", cudaGetErrorName(legacy));
    const cudaError_t per_thread =
        cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
    lockstep::report("per-thread default stream", cudaGetErrorName(per_thread));
    lockstep::check(cudaStreamEndCapture(cudaStreamPerThread, &graph));  // empty
    // [/default-streams]
    lockstep::check(cudaGraphDestroy(graph));
    const bool right = during && nodes == 5 && edges == 4 && calls == 3 &&
                       result == std::vector<int>(n, 13) && legacy != cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
