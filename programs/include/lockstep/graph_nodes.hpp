#pragma once
/// @file
/// Builds and runs graphs whose nodes are not the subject.

#include <cstddef>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Nodes that another one depends on.
using graph_nodes = std::vector<cudaGraphNode_t>;

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

/// Owns a graph and, once it is instantiated, an executable graph. Moves, never copies.
class owned_graph {
public:
    /// Creates an empty graph.
    owned_graph() { check(cudaGraphCreate(&graph_, 0)); }
    /// Takes a graph over, such as one that was captured.
    /// @param graph  the graph
    explicit owned_graph(cudaGraph_t graph) : graph_(graph) {}
    /// Takes the graph over; `other` is left without one.
    owned_graph(owned_graph&& other) noexcept
        : graph_(std::exchange(other.graph_, nullptr)),
          executable_(std::exchange(other.executable_, nullptr)) {}
    owned_graph& operator=(owned_graph&&) = delete;  // and so no copy
    ~owned_graph() {
        if (executable_) cudaGraphExecDestroy(executable_);
        if (graph_) cudaGraphDestroy(graph_);
    }

    /// The handle that calls of the runtime take; this object goes on owning it.
    operator cudaGraph_t() const { return graph_; }

    /// Makes it executable, in place of an earlier executable graph.
    /// @param flags  of cudaGraphInstantiate
    /// @return the executable graph; this object owns it
    cudaGraphExec_t instantiate(unsigned long long flags = 0) {
        if (executable_) check(cudaGraphExecDestroy(executable_));
        executable_ = nullptr;
        check(cudaGraphInstantiate(&executable_, graph_, flags));
        return executable_;
    }
    /// The executable graph; null before instantiate().
    cudaGraphExec_t executable() const { return executable_; }

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace lockstep
