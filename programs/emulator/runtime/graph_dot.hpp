// Graphs as drawings in the language of Graphviz.
#pragma once

#include "graphs.hpp"

namespace emulator {

bool write_dot(const task_graph& graph, const char* path, unsigned flags);

}  // namespace emulator
