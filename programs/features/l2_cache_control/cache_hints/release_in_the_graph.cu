// A graph launches three kernels in a row, which all read the same table. The first two
// are to keep it in L2, and the third one, which reads it for the last time, is to give
// its lines their normal priority back. Set the windows of the three nodes.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;

/// Adds a table to an array.
/// @param table  n ints in device memory
/// @param x      n ints in device memory
__global__ void add_table(const int* table, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += table[i];
}

/// The window of a node.
cudaAccessPolicyWindow window_of(cudaGraphNode_t node) {
    cudaKernelNodeAttrValue found{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributeAccessPolicyWindow, &found));
    return found.accessPolicyWindow;
}

/// Sets the windows of three nodes.
/// @param nodes  the nodes in the order in which they run
/// @param table  the table in device memory
/// @param bytes  its size, smaller than the set-aside
void keep_then_release(const cudaGraphNode_t (&nodes)[3], int* table,
                       std::size_t bytes) {
    // [task]
    cudaKernelNodeAttrValue keep{};
    keep.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyPersisting,
                               cudaAccessPropertyStreaming};
    cudaKernelNodeAttrValue release{};
    release.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyNormal,
                                  cudaAccessPropertyNormal};
    for (int i = 0; i < 3; ++i)
        lockstep::check(cudaGraphKernelNodeSetAttribute(
            nodes[i], cudaKernelNodeAttributeAccessPolicyWindow,
            i < 2 ? &keep : &release));
    //= given
    //| cudaKernelNodeAttrValue keep{};
    //| keep.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyPersisting,
    //|                            cudaAccessPropertyStreaming};
    //| for (const cudaGraphNode_t node : nodes)
    //|     lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|         node, cudaKernelNodeAttributeAccessPolicyWindow, &keep));
    //= mutant last_has_none
    //| cudaKernelNodeAttrValue keep{};
    //| keep.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyPersisting,
    //|                            cudaAccessPropertyStreaming};
    //| for (int i = 0; i < 2; ++i)
    //|     lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|         nodes[i], cudaKernelNodeAttributeAccessPolicyWindow, &keep));
    //= mutant releases_nothing
    //| cudaKernelNodeAttrValue keep{};
    //| keep.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyPersisting,
    //|                            cudaAccessPropertyStreaming};
    //| cudaKernelNodeAttrValue release{};
    //| release.accessPolicyWindow = {table, bytes, 0, cudaAccessPropertyNormal,
    //|                               cudaAccessPropertyStreaming};
    //| for (int i = 0; i < 3; ++i)
    //|     lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|         nodes[i], cudaKernelNodeAttributeAccessPolicyWindow,
    //|         i < 2 ? &keep : &release));
    //= mutant releases_first
    //| cudaKernelNodeAttrValue keep{};
    //| keep.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyPersisting,
    //|                            cudaAccessPropertyStreaming};
    //| cudaKernelNodeAttrValue release{};
    //| release.accessPolicyWindow = {table, bytes, 1, cudaAccessPropertyNormal,
    //|                               cudaAccessPropertyNormal};
    //| for (int i = 0; i < 3; ++i)
    //|     lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|         nodes[i], cudaKernelNodeAttributeAccessPolicyWindow,
    //|         i > 0 ? &keep : &release));
    // [/task]
}

int main() {
    lockstep::require_device(80);
    std::vector<int> table(n), expected(n);
    for (int i = 0; i < n; ++i) {
        table[i] = i % 1009;
        expected[i] = 3 * table[i];
    }
    lockstep::device_buffer<int> d_table(table), d_x(n);
    d_x.fill_bytes(0);
    lockstep::owned_graph graph;
    cudaGraphNode_t nodes[3] = {};
    for (int i = 0; i < 3; ++i)
        nodes[i] = lockstep::add_kernel_node(
            graph,
            i == 0 ? lockstep::graph_nodes{} : lockstep::graph_nodes{nodes[i - 1]},
            n / 256, 256, add_table, d_table.data(), d_x.data());
    keep_then_release(nodes, d_table.data(), d_table.bytes());

    lockstep::check(cudaGraphLaunch(graph.instantiate(), nullptr));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::exercise_verdict verdict;
    verdict.equal("sums", d_x.to_host(), expected);
    const auto has_table = [&](cudaGraphNode_t node) {
        return window_of(node).base_ptr == d_table.data() &&
               window_of(node).num_bytes == d_table.bytes();
    };
    const bool first = has_table(nodes[0]), second = has_table(nodes[1]);
    verdict.holds("each window is the table", first && second && has_table(nodes[2]),
                  !first    ? "the first kernel has no window, or another one"
                  : !second ? "the second kernel has no window, or another one"
                            : "the third kernel has no window, or another one");
    for (int i = 0; i < 2; ++i)
        verdict.holds(i == 0 ? "first keeps" : "second keeps",
                      window_of(nodes[i]).hitProp == cudaAccessPropertyPersisting &&
                          window_of(nodes[i]).hitRatio == 1,
                      "all lines of the table are to be persisting");
    verdict.holds("third releases",
                  window_of(nodes[2]).hitProp == cudaAccessPropertyNormal &&
                      window_of(nodes[2]).hitRatio == 1,
                  "its accesses leave the lines persisting, for good or for long");
    return verdict.finish();
}
