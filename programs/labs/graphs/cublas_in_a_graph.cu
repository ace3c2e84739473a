// How does a library get into a graph whose other nodes are built by hand? Its calls
// are captured into a graph of their own, which becomes one node: a child graph. The
// library must use the stream that captures, memory of ours, and leave its results on
// the GPU.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Fills a vector with 1, 2, ..., 7, 1, ...
/// @param n  elements
/// @param x  n doubles in device memory, written
__global__ void fill(int n, double* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1 + i % 7;
}

/// Adds a number in device memory to each element.
/// @param n       elements
/// @param number  one double in device memory
/// @param y       n doubles in device memory, increased
__global__ void add(int n, const double* number, double* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += *number;
}

int main() {
    lockstep::require_device();

    constexpr int n = 1000, blocks = 4, threads = 256;
    lockstep::device_buffer<double> d_x(n), d_y(n), d_dot(1);
    lockstep::device_buffer<double> d_two(std::vector<double>{2});
    lockstep::device_buffer<char> d_workspace(32 << 20);
    d_y.fill_bytes(0);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    // [prepare]
    cublasHandle_t cublas = nullptr;
    lockstep::check(cublasCreate(&cublas));  // allocates: not while a stream captures
    lockstep::check(cublasSetStream(cublas, stream));
    lockstep::check(
        cublasSetWorkspace(cublas, d_workspace.data(), d_workspace.bytes()));
    lockstep::check(cublasSetPointerMode(cublas, CUBLAS_POINTER_MODE_DEVICE));
    // [/prepare]
    // [call]
    const auto call_library = [&](double* dot) {  // y = 2 x + y, then x . y
        const cublasStatus_t added =
            cublasDaxpy(cublas, n, d_two.data(), d_x.data(), 1, d_y.data(), 1);
        if (added != CUBLAS_STATUS_SUCCESS) return added;
        return cublasDdot(cublas, n, d_x.data(), 1, d_y.data(), 1, dot);
    };
    // [/call]
    lockstep::check(call_library(d_dot.data()));  // once before the capture
    lockstep::check(cudaStreamSynchronize(stream));

    // [child]
    lockstep::owned_graph graph;
    const auto filled =
        lockstep::add_kernel_node(graph, {}, blocks, threads, fill, n, d_x.data());

    cudaGraph_t library = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(call_library(d_dot.data()));
    lockstep::check(cudaStreamEndCapture(stream, &library));

    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = library;
    cudaGraphNode_t child = nullptr;
    lockstep::check(cudaGraphAddNode(&child, graph, &filled, nullptr, 1, &params));

    lockstep::add_kernel_node(graph, {child}, blocks, threads, add, n, d_dot.data(),
                              d_y.data());
    // [/child]
    std::size_t nodes = 0, inside = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetNodes(library, nullptr, &inside));
    lockstep::check(cudaGraphDestroy(library));  // the child is a copy
    d_y.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    std::vector<double> expected(n);
    double dot = 0;
    for (int i = 0; i < n; ++i) dot += (1 + i % 7) * 2 * (1 + i % 7);
    for (int i = 0; i < n; ++i) expected[i] = 2 * (1 + i % 7) + dot;
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("nodes of the graph", nodes);
    lockstep::report("nodes of the child", inside);
    lockstep::report("wrong elements", wrong);

    // [host-result]
    double on_host = 0;
    lockstep::check(cublasSetPointerMode(cublas, CUBLAS_POINTER_MODE_HOST));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const cublasStatus_t called =
        cublasDdot(cublas, n, d_x.data(), 1, d_y.data(), 1, &on_host);
    const cudaError_t ended = cudaStreamEndCapture(stream, &library);
    // [/host-result]
    cudaGetLastError();  // what failed is reported here
    lockstep::report("dot into host memory", cublasGetStatusName(called));
    lockstep::report("end of this capture", cudaGetErrorName(ended));
    if (library && ended == cudaSuccess) lockstep::check(cudaGraphDestroy(library));
    lockstep::check(cublasDestroy(cublas));
    return wrong == 0 && nodes == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
