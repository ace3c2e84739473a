// Launches of graphs.
#pragma once

#include "graphs.hpp"

namespace emulator {

cudaError_t launch_graph(const std::shared_ptr<graph_instance>& instance, device_stream& stream);

}  // namespace emulator
