// A graph was captured, and a kernel that is added by hand should run as the captured
// one does. How does its node get the same priority and the same clusters? By
// cudaGraphKernelNodeCopyAttributes, which copies all attributes of a node to another.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 8;

// [kernel]
/// Stores how many blocks the cluster of its block has.
/// @param sizes  one int for each block in device memory, written by its thread 0
__global__ void store_cluster_size(int* sizes) {
    if (threadIdx.x == 0)
        sizes[blockIdx.x] =
            static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}
// [/kernel]

/// Two attributes of a kernel node.
struct attributes {
    int priority;  ///< smaller numbers come first
    unsigned cluster;  ///< blocks of a cluster along x, as the node states them
};

// [get]
/// Reads two attributes of a kernel node, and prints them.
attributes show(const char* label, cudaGraphNode_t node) {
    cudaKernelNodeAttrValue priority{}, cluster{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributePriority, &priority));
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributeClusterDimension, &cluster));
    std::printf("%-28s%8d%14u\n", label, priority.priority, cluster.clusterDim.x);
    return {priority.priority, cluster.clusterDim.x};
}
// [/get]

int main() {
    lockstep::require_device(90);
    int least = 0, greatest = 0;
    lockstep::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    lockstep::device_buffer<int> d_captured(blocks), d_added(blocks);
    d_captured.fill_bytes(0);
    d_added.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());

    // [capture]
    cudaLaunchAttribute wanted[2] = {};
    wanted[0].id = cudaLaunchAttributePriority;
    wanted[0].val.priority = greatest;
    wanted[1].id = cudaLaunchAttributeClusterDimension;
    wanted[1].val.clusterDim.x = 2;
    wanted[1].val.clusterDim.y = wanted[1].val.clusterDim.z = 1;
    const lockstep::owned_stream stream;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    config.stream = stream;
    config.attrs = wanted;
    config.numAttrs = 2;
    cudaGraph_t made = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    lockstep::check(cudaLaunchKernelEx(&config, store_cluster_size, d_captured.data()));
    lockstep::check(cudaStreamEndCapture(stream, &made));
    // [/capture]
    lockstep::owned_graph graph(made);

    // [copy]
    cudaGraphNode_t captured = nullptr;
    std::size_t count = 1;
    lockstep::check(cudaGraphGetNodes(graph, &captured, &count));
    const cudaGraphNode_t added = lockstep::add_kernel_node(
        graph, {captured}, blocks, 32, store_cluster_size, d_added.data());
    std::printf("%-28s%8s%14s\n", "node", "priority", "cluster size");
    const attributes source = show("captured", captured);
    show("added", added);
    lockstep::check(cudaGraphKernelNodeCopyAttributes(added, captured));
    const attributes copied = show("added, after the copy", added);
    // [/copy]

    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const std::vector<int> by_captured = d_captured.to_host();
    const std::vector<int> by_added = d_added.to_host();
    const std::vector<int> pairs(blocks, 2);
    lockstep::report("captured runs in pairs", by_captured == pairs);
    lockstep::report("added runs in pairs", by_added == pairs);
    const bool right = copied.priority == source.priority &&
                       copied.cluster == source.cluster && by_captured == pairs &&
                       by_added == pairs;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
