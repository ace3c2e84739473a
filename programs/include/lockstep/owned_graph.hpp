#pragma once
/// @file
/// A graph, and its executable graph, that destroy themselves.

#include <utility>

#include <cuda_runtime_api.h>

#include <lockstep/check.hpp>

namespace lockstep {

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
