// Memory that graphs allocate and free.
#pragma once

#include "graphs.hpp"

namespace emulator {

// Where an allocation of so many bytes lies, whenever the graph has come so far; null if there is
// no room. `after`: what it depends on, since what was freed there may be its place again.
void* place_graph_memory(size_t bytes, const task_graph& graph,
                         const std::vector<graph_edge>& after);
void set_graph_memory(void* place, bool present);
// Before a launch: an error if memory of an earlier one was not freed.
cudaError_t begin_graph_memory(const graph_instance& instance, unsigned stream);

}  // namespace emulator
