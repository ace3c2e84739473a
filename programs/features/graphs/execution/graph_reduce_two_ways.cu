// A sum in two stages as a graph, once from the explicit API and once from a capture:
// copy in and clear, sum each block, clear and sum the block sums, copy out, tell the
// host. Are the two graphs the same? They have the same nodes and edges, and the same
// result. With --dot FILE the program writes the captured one for Graphviz.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int blocks = 16;

// [kernel]
/// Adds the elements of a block to one number.
/// @param n    number of elements
/// @param x    n doubles in device memory
/// @param sum  one double for each block, in device memory, increased
__global__ void sum_blocks(int n, const double* x, double* sum) {
    __shared__ double parts[block_size];
    const int i = blockIdx.x * block_size + threadIdx.x;
    parts[threadIdx.x] = i < n ? x[i] : 0;
    for (int width = block_size / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    }
    if (threadIdx.x == 0) sum[blockIdx.x] += parts[0];
}
// [/kernel]

/// What the reduction uses.
struct job {
    std::vector<double> x;  ///< in host memory
    double* d_x;                   ///< as many in device memory
    double* d_parts;               ///< a sum for each block, in device memory
    double* d_sum;                 ///< the sum, in device memory
    double sum = 0;  ///< in host memory, written by the copy out
    double noted = 0;  ///< written by the host function
};

/// Takes the result over.
/// @param data  a job
void CUDART_CB note_sum(void* data) {
    job& work = *static_cast<job*>(data);
    work.noted = work.sum;
}

// [api-parameters]
/// Describes a copy of bytes.
/// @param to, from  addresses of any kind
/// @param bytes     how many
cudaGraphNodeParams copy_of(void* to, void* from, std::size_t bytes) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeMemcpy;
    params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(from, bytes, bytes, 1);
    params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
    params.memcpy.copyParams.extent = make_cudaExtent(bytes, 1, 1);
    params.memcpy.copyParams.kind = cudaMemcpyDefault;
    return params;
}
/// Describes clearing doubles.
/// @param d_to   where, in device memory
/// @param count  how many
cudaGraphNodeParams clearing_of(double* d_to, std::size_t count) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = d_to;
    params.memset.elementSize = 4;  // at most 4, so each double counts twice
    params.memset.width = 2 * count;
    params.memset.height = 1;
    return params;
}
// [/api-parameters]
/// Describes a launch of sum_blocks.
/// @param grid_size  number of blocks
/// @param arguments  addresses of the kernel's arguments
cudaGraphNodeParams kernel_of(int grid_size, void** arguments) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = reinterpret_cast<void*>(sum_blocks);
    params.kernel.gridDim = dim3(grid_size);
    params.kernel.blockDim = dim3(block_size);
    params.kernel.kernelParams = arguments;
    return params;
}

// [api]
/// Builds the graph node by node.
cudaGraph_t build(job& work) {
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    const auto add = [&](std::vector<cudaGraphNode_t> after, cudaGraphNodeParams what) {
        cudaGraphNode_t node = nullptr;
        lockstep::check(
            cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &what));
        return node;
    };
    int n = work.x.size(), few = blocks;
    void* first[] = {&n, &work.d_x, &work.d_parts};
    void* second[] = {&few, &work.d_parts, &work.d_sum};
    cudaGraphNodeParams host{};
    host.type = cudaGraphNodeTypeHost;
    host.host = {note_sum, &work};
    const auto in = add({}, copy_of(work.d_x, work.x.data(), n * sizeof(double)));
    const auto clear_parts = add({}, clearing_of(work.d_parts, blocks));
    const auto partial = add({in, clear_parts}, kernel_of(blocks, first));
    const auto clear_sum = add({}, clearing_of(work.d_sum, 1));
    const auto total = add({partial, clear_sum}, kernel_of(1, second));
    const auto out = add({total}, copy_of(&work.sum, work.d_sum, sizeof(double)));
    add({out}, host);
    return graph;
}
// [/api]

/// Captures the same from three streams.
cudaGraph_t capture(job& work) {
    const int n = work.x.size();
    const lockstep::owned_stream stream, second, third;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event parts(cudaEventDisableTiming);
    const lockstep::owned_event sum(cudaEventDisableTiming);
    cudaGraph_t graph = nullptr;
    // [capture]
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(second, fork));
    lockstep::check(cudaStreamWaitEvent(third, fork));

    lockstep::check(cudaMemcpyAsync(work.d_x, work.x.data(), n * sizeof(double),
                                    cudaMemcpyDefault, stream));
    lockstep::check(cudaMemsetAsync(work.d_parts, 0, blocks * sizeof(double), second));
    lockstep::check(cudaEventRecord(parts, second));
    lockstep::check(cudaStreamWaitEvent(stream, parts));
    sum_blocks<<<blocks, block_size, 0, stream>>>(n, work.d_x, work.d_parts);
    lockstep::check(cudaGetLastError());

    lockstep::check(cudaMemsetAsync(work.d_sum, 0, sizeof(double), third));
    lockstep::check(cudaEventRecord(sum, third));
    lockstep::check(cudaStreamWaitEvent(stream, sum));
    sum_blocks<<<1, block_size, 0, stream>>>(blocks, work.d_parts, work.d_sum);
    lockstep::check(cudaGetLastError());

    lockstep::check(cudaMemcpyAsync(&work.sum, work.d_sum, sizeof(double),
                                    cudaMemcpyDefault, stream));
    lockstep::check(cudaLaunchHostFunc(stream, note_sum, &work));
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/capture]
    return graph;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* dot = options.text("dot");
    options.finish();
    lockstep::require_device();

    job work;
    work.x.resize(block_size * blocks);
    double expected = 0;
    for (std::size_t i = 0; i < work.x.size(); ++i)
        expected += work.x[i] = double(i % 17);
    lockstep::device_buffer<double> d_x(work.x.size()), d_parts(blocks), d_sum(1);
    work.d_x = d_x.data();
    work.d_parts = d_parts.data();
    work.d_sum = d_sum.data();
    const lockstep::owned_stream stream;
    bool right = true;
    std::size_t nodes[2] = {}, edges[2] = {};
    cudaGraph_t graphs[] = {build(work), capture(work)};
    for (int i = 0; i < 2; ++i) {
        d_parts.fill_bytes(0xFF);
        d_sum.fill_bytes(0xFF);
        lockstep::check(cudaDeviceSynchronize());
        work.noted = 0;
        // [instantiate-launch]
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, graphs[i], 0));
        for (int launch = 0; launch < 3; ++launch)
            lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::check(cudaGraphExecDestroy(executable));
        // [/instantiate-launch]
        right = right && work.noted == expected;
        lockstep::check(cudaGraphGetNodes(graphs[i], nullptr, &nodes[i]));
        lockstep::check(
            cudaGraphGetEdges(graphs[i], nullptr, nullptr, nullptr, &edges[i]));
    }
    // [dot]
    if (dot) lockstep::check(cudaGraphDebugDotPrint(graphs[1], dot, 0));
    // [/dot]
    for (const cudaGraph_t graph : graphs) lockstep::check(cudaGraphDestroy(graph));

    lockstep::report("nodes, built", nodes[0]);
    lockstep::report("nodes, captured", nodes[1]);
    lockstep::report("edges, built", edges[0]);
    lockstep::report("edges, captured", edges[1]);
    lockstep::report("sum", work.noted);
    lockstep::report("both right", right);
    right = right && nodes[0] == nodes[1] && edges[0] == edges[1];
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
