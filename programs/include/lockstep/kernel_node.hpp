#pragma once
/// @file
/// Adds a kernel node to a graph, where such a node is not the subject.

#include <cuda_runtime.h>

#include <lockstep/check.hpp>
#include <lockstep/graph_nodes.hpp>

namespace lockstep {

/// Adds a kernel node to a graph.
/// @param graph       the graph
/// @param after       the nodes that it depends on
/// @param grid_size   blocks
/// @param block_size  threads of a block
/// @param kernel      the kernel
/// @param arguments   its arguments, which are copied
/// @return the node
template <class... Parameters, class... Arguments>
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, const graph_nodes& after,
                                int grid_size, int block_size,
                                void (*kernel)(Parameters...), Arguments... arguments) {
    return [&](Parameters... parameters) {
        void* addresses[] = {&parameters...};
        cudaGraphNodeParams node_params{};
        node_params.type = cudaGraphNodeTypeKernel;
        node_params.kernel.func = reinterpret_cast<void*>(kernel);
        node_params.kernel.gridDim = dim3(grid_size);
        node_params.kernel.blockDim = dim3(block_size);
        node_params.kernel.kernelParams = addresses;
        cudaGraphNode_t node = nullptr;
        check(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(),
                               &node_params));
        return node;
    }(arguments...);
}

}  // namespace lockstep
