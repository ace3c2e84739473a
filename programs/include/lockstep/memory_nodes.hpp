#pragma once
/// @file
/// Adds nodes to a graph that allocate and free memory.

#include <cstddef>

#include <cuda_runtime_api.h>

#include <lockstep/check.hpp>
#include <lockstep/graph_nodes.hpp>

namespace lockstep {

/// What an allocation node asks for: memory of device 0.
/// @param bytes  how much
inline cudaGraphNodeParams allocation_params(std::size_t bytes) {
    cudaGraphNodeParams node_params{};
    node_params.type = cudaGraphNodeTypeMemAlloc;
    node_params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    node_params.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    node_params.alloc.poolProps.location.id = 0;
    node_params.alloc.bytesize = bytes;
    return node_params;
}

/// Adds an allocation node to a graph.
/// @tparam T     element type
/// @param graph  the graph
/// @param after  the nodes that it depends on
/// @param count  elements
/// @param data   set to the address that it was given
/// @return the node
template <class T>
cudaGraphNode_t add_allocation_node(cudaGraph_t graph, const graph_nodes& after,
                                    std::size_t count, T** data) {
    cudaGraphNodeParams node_params = allocation_params(count * sizeof(T));
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(),
                           &node_params));
    *data = static_cast<T*>(node_params.alloc.dptr);
    return node;
}

/// Adds a node that frees what an allocation node allocates.
/// @param graph  the graph
/// @param after  the nodes that it depends on
/// @param data   address of the allocation
/// @return the node
inline cudaGraphNode_t add_free_node(cudaGraph_t graph, const graph_nodes& after,
                                     void* data) {
    cudaGraphNodeParams node_params{};
    node_params.type = cudaGraphNodeTypeMemFree;
    node_params.free.dptr = data;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(),
                           &node_params));
    return node;
}

}  // namespace lockstep
