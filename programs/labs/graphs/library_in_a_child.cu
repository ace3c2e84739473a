// A graph fills x, lets a library compute x . y, and multiplies z by the result. The
// library is a stand-in for cuBLAS with the same three habits: it allocates memory if
// it was given none, it waits for a result that goes to the host, and it uses stream 0
// unless told otherwise. Capture its call, and add it to the graph as a child.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 128;

/// @param seed  one int in device memory
/// @param x     n ints in device memory, written; one block of n threads
__global__ void fill(const int* seed, int* x) {
    x[threadIdx.x] = *seed + int(threadIdx.x);
}

/// @param dot  one int in device memory
/// @param z    n ints in device memory, multiplied by it; one block of n threads
__global__ void scale(const int* dot, int* z) { z[threadIdx.x] *= *dot; }

/// @param x, y      n ints each in device memory; one block of n threads
/// @param products  n ints in device memory, written
__global__ void multiply(const int* x, const int* y, int* products) {
    products[threadIdx.x] = x[threadIdx.x] * y[threadIdx.x];
}

/// @param products  n ints in device memory; one thread
/// @param sum       one int in device memory, written
__global__ void add_up(const int* products, int* sum) {
    *sum = 0;
    for (int i = 0; i < n; ++i) *sum += products[i];
}

// [library]
/// The library.
struct library {
    cudaStream_t stream = nullptr;  ///< where its work goes
    int* workspace = nullptr;       ///< n + 1 ints in device memory, or none
    bool result_on_device = false;  ///< where dot() stores: device or host memory

    /// Computes x . y; returns the first error.
    cudaError_t dot(const int* x, const int* y, int* result) {
        cudaError_t error = cudaSuccess;
        if (!workspace) error = cudaMalloc(&workspace, (n + 1) * sizeof(int));
        if (error != cudaSuccess) return error;
        int* sum = result_on_device ? result : workspace + n;
        multiply<<<1, n, 0, stream>>>(x, y, workspace);
        add_up<<<1, 1, 0, stream>>>(workspace, sum);
        if (result_on_device) return cudaGetLastError();
        error =
            cudaMemcpyAsync(result, sum, sizeof(int), cudaMemcpyDeviceToHost, stream);
        return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
    }
};
// [/library]

int main() {
    lockstep::require_device();

    std::vector<int> y(n), z(n), expected;
    for (int i = 0; i < n; ++i) y[i] = i % 5, z[i] = 1 + i % 3;
    lockstep::device_buffer<int> d_seed(1), d_x(n), d_y(y), d_z(z), d_dot(1),
        d_workspace(n + 1);
    d_x.fill_bytes(0);
    d_dot.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    std::vector<int> on_host(1);
    library blas;
    const lockstep::owned_stream stream;
    lockstep::owned_graph graph;
    const auto filled =
        lockstep::add_kernel_node(graph, {}, 1, n, fill, d_seed.data(), d_x.data());

    cudaGraph_t captured = nullptr;
    cudaError_t called = cudaErrorNotReady;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    // [task-capture]
    blas.stream = stream;
    blas.workspace = d_workspace.data();
    blas.result_on_device = true;
    called = blas.dot(d_x.data(), d_y.data(), d_dot.data());
    //= given
    //| // The stream captures already. d_workspace and d_dot are there.
    //| blas.stream = stream;
    //| called = blas.dot(d_x.data(), d_y.data(), on_host.data());
    //= mutant allocates
    //| blas.stream = stream;
    //| blas.result_on_device = true;
    //| called = blas.dot(d_x.data(), d_y.data(), d_dot.data());
    //= mutant waits_for_its_result
    //| blas.stream = stream;
    //| blas.workspace = d_workspace.data();
    //| called = blas.dot(d_x.data(), d_y.data(), on_host.data());
    //= mutant uses_stream_0
    //| blas.workspace = d_workspace.data();
    //| blas.result_on_device = true;
    //| called = blas.dot(d_x.data(), d_y.data(), d_dot.data());
    // [/task-capture]
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    cudaGetLastError();

    lockstep::exercise_verdict verdict;
    verdict.holds("dot() succeeded", called == cudaSuccess,
                  "it allocated memory, or waited, while the stream captures; the code "
                  "of dot() shows when it does that");
    verdict.holds("the capture gave a graph", ended == cudaSuccess,
                  "a call in it is forbidden while a stream captures");
    if (!captured) return verdict.finish();
    std::size_t nodes = 0, edges = 0;
    lockstep::check(cudaGraphGetNodes(captured, nullptr, &nodes));
    verdict.holds("both kernels captured", nodes == 2,
                  "they ran at once, in another stream than the one that captures");

    // [task-child]
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = captured;
    cudaGraphNode_t child = nullptr;
    lockstep::check(cudaGraphAddNode(&child, graph, &filled, nullptr, 1, &params));
    lockstep::add_kernel_node(graph, {child}, 1, n, scale, d_dot.data(), d_z.data());
    //= given
    //| // Between filling and scaling: a node of type cudaGraphNodeTypeGraph.
    //| lockstep::add_kernel_node(graph, {filled}, 1, n, scale, d_dot.data(),
    //|                           d_z.data());
    //= mutant child_does_not_wait
    //| cudaGraphNodeParams params{};
    //| params.type = cudaGraphNodeTypeGraph;
    //| params.graph.graph = captured;
    //| cudaGraphNode_t child = nullptr;
    //| lockstep::check(cudaGraphAddNode(&child, graph, nullptr, nullptr, 0, &params));
    //| lockstep::add_kernel_node(graph, {filled, child}, 1, n, scale, d_dot.data(),
    //|                           d_z.data());
    //= mutant scaling_does_not_wait
    //| cudaGraphNodeParams params{};
    //| params.type = cudaGraphNodeTypeGraph;
    //| params.graph.graph = captured;
    //| cudaGraphNode_t child = nullptr;
    //| lockstep::check(cudaGraphAddNode(&child, graph, &filled, nullptr, 1, &params));
    //| lockstep::add_kernel_node(graph, {filled}, 1, n, scale, d_dot.data(),
    //|                           d_z.data());
    // [/task-child]
    lockstep::check(cudaGraphDestroy(captured));  // the graph holds a copy
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    lockstep::graph_nodes from(edges), to(edges);
    lockstep::check(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &edges));
    const auto is_child = [](cudaGraphNode_t node) {
        cudaGraphNodeType type{};
        lockstep::check(cudaGraphNodeGetType(node, &type));
        return type == cudaGraphNodeTypeGraph;
    };
    bool waits = false, is_awaited = false;
    for (std::size_t i = 0; i < edges; ++i) {
        waits = waits || (from[i] == filled && is_child(to[i]));
        is_awaited = is_awaited || is_child(from[i]);
    }
    verdict.holds("the child waits for fill", waits,
                  "dot() reads what fill writes; is the captured graph a node yet?");
    verdict.holds("scale waits for the child", is_awaited,
                  "scale reads what dot() writes");

    graph.instantiate();
    for (const int seed : {3, -2}) {  // each launch computes a new result
        lockstep::check(
            cudaMemcpy(d_seed.data(), &seed, sizeof seed, cudaMemcpyHostToDevice));
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaGraphLaunch(graph.executable(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
        int dot = 0;
        for (int i = 0; i < n; ++i) dot += (seed + i) * y[i];
        for (int& one : z) one *= dot;
    }
    verdict.equal("z", d_z.to_host(), z);
    return verdict.finish();
}
