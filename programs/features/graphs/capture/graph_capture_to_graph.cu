// Can captured work be added to a graph that was built by hand, and can a node be added
// by hand in the middle of a capture? Both: a capture may begin after chosen nodes of
// an existing graph, and a capturing stream tells which graph it fills and which
// nodes its next one would depend on, and lets that set be replaced.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds 1.
/// @param x  one int in device memory
__global__ void add_one(int* x) { *x += 1; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(2);
    d_x.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    int* first = d_x.data();
    int* second = d_x.data() + 1;
    const lockstep::owned_stream stream;

    // [by-hand]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaMemsetParams params{};
    params.dst = d_x.data();
    params.elementSize = sizeof(int);
    params.width = d_x.size();
    params.height = 1;
    cudaGraphNode_t cleared = nullptr;
    lockstep::check(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &params));
    // [/by-hand]

    // [capture]
    lockstep::check(cudaStreamBeginCaptureToGraph(stream, graph, &cleared, nullptr, 1,
                                                  cudaStreamCaptureModeGlobal));
    add_one<<<1, 1, 0, stream>>>(first);
    add_one<<<1, 1, 0, stream>>>(first);
    lockstep::check(cudaGetLastError());
    // [/capture]

    // [info]
    cudaStreamCaptureStatus status{};
    cudaGraph_t filled = nullptr;
    const cudaGraphNode_t* last = nullptr;  // belongs to the stream
    std::size_t dependencies = 0;
    lockstep::check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &filled, &last,
                                             nullptr, &dependencies));
    lockstep::report("fills the graph given", filled == graph);
    lockstep::report("next would depend on", dependencies, "node");
    // [/info]

    // [insert]
    int* argument = second;
    void* arguments[] = {&argument};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add_one);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    cudaGraphNode_t inserted = nullptr;
    lockstep::check(cudaGraphAddKernelNode(&inserted, graph, &cleared, 1, &kernel));
    lockstep::check(cudaStreamUpdateCaptureDependencies(
        stream, &inserted, nullptr, 1, cudaStreamAddCaptureDependencies));
    // [/insert]
    lockstep::check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &filled, &last,
                                             nullptr, &dependencies));
    lockstep::report("after adding one by hand", dependencies, "nodes");

    // [end]
    add_one<<<1, 1, 0, stream>>>(second);  // depends on both chains
    lockstep::check(cudaGetLastError());
    cudaGraph_t ended = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &ended));
    // [/end]
    std::size_t nodes = 0, edges = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    const std::vector<int> x = d_x.to_host();
    lockstep::report("ended with the same graph", ended == graph);
    lockstep::report("nodes", nodes);
    lockstep::report("edges", edges);
    lockstep::report("first value", x[0]);
    lockstep::report("second value", x[1]);
    const bool right = filled == ended && nodes == 5 && edges == 5 && x[0] == 2 &&
                       x[1] == 2 && dependencies == 2;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
