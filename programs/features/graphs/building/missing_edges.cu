// The graph below sums the squares of an array: one node clears the sum, one squares
// each element, one adds the squares up, one copies the sum to the host. Its nodes are
// there, its edges are missing. Add them: no fewer than the result needs, and none that
// orders nodes which could run at the same time.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

/// Squares each element.
/// @param x        n ints in device memory; one block of n threads
/// @param squares  n ints in device memory, written
__global__ void square(const int* x, int* squares) {
    squares[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

/// Adds all elements to a sum.
/// @param squares  n ints in device memory; one block of n threads
/// @param sum      one int in device memory, increased
__global__ void add_up(const int* squares, int* sum) {
    atomicAdd(sum, squares[threadIdx.x]);
}

/// Adds edges to a graph: from[i] runs before to[i].
/// @param graph     the graph
/// @param from, to  nodes of the graph, as many of one as of the other
void add_edges(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& from,
               const std::vector<cudaGraphNode_t>& to) {
    if (from.empty()) return;
    lockstep::check(
        cudaGraphAddDependencies(graph, from.data(), to.data(), nullptr, from.size()));
}

int main() {
    lockstep::require_device();

    std::vector<int> x(n);
    int expected = 0, result = -1;
    for (int i = 0; i < n; ++i) expected += (x[i] = i % 7) * x[i];
    lockstep::device_buffer<int> d_x(x), d_squares(n), d_sum(1);
    d_squares.fill_bytes(0x55);
    d_sum.fill_bytes(0x55);
    int* px = d_x.data();
    int* squares = d_squares.data();
    int* sum = d_sum.data();

    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t clears{}, squaring{}, adds{}, copies{};
    cudaMemsetParams clear{sum, 0, 0, sizeof(int), 1, 1};
    void* square_arguments[] = {&px, &squares};
    void* add_arguments[] = {&squares, &sum};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(square);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(n);
    kernel.kernelParams = square_arguments;
    lockstep::check(cudaGraphAddMemsetNode(&clears, graph, nullptr, 0, &clear));
    lockstep::check(cudaGraphAddKernelNode(&squaring, graph, nullptr, 0, &kernel));
    kernel.func = reinterpret_cast<void*>(add_up);
    kernel.kernelParams = add_arguments;
    lockstep::check(cudaGraphAddKernelNode(&adds, graph, nullptr, 0, &kernel));
    lockstep::check(cudaGraphAddMemcpyNode1D(&copies, graph, nullptr, 0, &result, sum,
                                             sizeof(int), cudaMemcpyDeviceToHost));

    // [task]
    add_edges(graph, {clears, squaring, adds}, {adds, adds, copies});
    //= given
    //| // Nodes: clears, squaring, adds, copies. Which must run before which?
    //| add_edges(graph, {}, {});
    //= mutant forgets_the_clear
    //| add_edges(graph, {squaring, adds}, {adds, copies});
    //= mutant one_long_chain
    //| add_edges(graph, {clears, squaring, adds}, {squaring, adds, copies});
    //= mutant copies_too_early
    //| add_edges(graph, {clears, squaring, squaring}, {adds, adds, copies});
    // [/task]

    std::size_t edges = 0;
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    std::vector<cudaGraphNode_t> from(edges), to(edges);
    if (edges)
        lockstep::check(
            cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &edges));
    const std::vector<cudaGraphNode_t> nodes = {clears, squaring, adds, copies};
    bool before[4][4] = {};
    for (int round = 0; round < 4; ++round)  // paths of up to four edges
        for (std::size_t edge = 0; edge < edges; ++edge)
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 4; ++b)
                    if (nodes[b] == to[edge])
                        for (int c = 0; c < 4; ++c)
                            if (nodes[c] == from[edge])
                                before[a][b] |= a == c || before[a][c];

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("cleared before adding", before[0][2],
                  "the sum is cleared by a node that nothing orders before the adding");
    verdict.holds("squared before adding", before[1][2],
                  "the squares are read by a node that does not wait for them");
    verdict.holds("added before copying", before[2][3],
                  "the copy does not wait for the sum");
    verdict.holds("clear, square independent", !before[0][1] && !before[1][0],
                  "clearing and squaring share no data, so neither needs to wait");

    cudaGraphExec_t executable = nullptr;
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    verdict.equal("sum", std::vector<int>{result}, std::vector<int>{expected});
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return verdict.finish();
}
