// Runs of graphs, and what kernels in them launch.
#pragma once

#include "graphs.hpp"

namespace emulator {

struct graph_scope {  // a run of a graph
    std::shared_ptr<graph_instance> instance;
    std::shared_ptr<task_graph> graph = nullptr;  // which it runs
    std::shared_ptr<graph_scope> parent = nullptr;  // of a run that a kernel has launched
    int priority = 0;
    work_item complete = nullptr;  // its nodes, and what they launched, have ended
    work_item whole = nullptr;     // and so have its tails
    std::vector<std::shared_ptr<graph_instance>> tails = {};
    int children = 0, queued = 0;  // launched so far, at once and as tails
    bool again = false;            // it is its own tail
};

// Kernels may launch the instance as it is now.
void upload_if(graph_instance& instance, bool wanted);
std::shared_ptr<graph_scope> begin_run(const std::shared_ptr<graph_instance>& instance,
                                       const std::vector<work_item>& after, int priority,
                                       const std::shared_ptr<graph_scope>& parent,
                                       bool from_device);
cudaError_t launch_graph(const std::shared_ptr<graph_instance>& instance, device_stream& stream);

}  // namespace emulator
