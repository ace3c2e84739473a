#pragma once
/// @file
/// A list of the nodes that another node of a graph depends on.

#include <vector>

#include <cuda_runtime_api.h>

namespace lockstep {

/// Nodes that another one depends on.
using graph_nodes = std::vector<cudaGraphNode_t>;

}  // namespace lockstep
