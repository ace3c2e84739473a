// What nodes of graphs are told to do, checked.
#pragma once

#include "graphs.hpp"

namespace emulator {

// Gives a node what it does; may fill in what the parameters hand back.
cudaError_t set_parameters(graph_node& node, cudaGraphNodeParams& wanted);
// The same for a node of an instance, of which less may change.
cudaError_t change_parameters(graph_node& node, cudaGraphNodeParams& wanted);
// Lets a node of an instance do what another one does; says why it may not.
cudaGraphExecUpdateResult take_over(graph_node& node, const graph_node& wanted);
cudaGraphNodeParams parameters_of(graph_node& node);

}  // namespace emulator
