// Graphs: nodes, what they depend on, and the instances that run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "handles.hpp"
#include "streams.hpp"

namespace emulator {

struct task_graph;

struct graph_node {
    cudaGraphNodeType type;
    task_graph* graph = nullptr;
    cudaGraphNode_t handle = nullptr, origin = nullptr;  // origin: of which it is a copy
    std::vector<graph_edge> after = {};                  // what it depends on, in order
    bool enabled = true;

    kernel_launch launch = {};
    std::vector<void*> arguments = {};  // where the values of the launch lie
    std::map<int, cudaLaunchAttributeValue> attributes = {};
    cudaMemcpy3DParms copy = {};
    cudaMemsetParams fill = {};
    cudaHostNodeParams host = {};
    cudaEvent_t event = nullptr;
    std::shared_ptr<device_event> noted = nullptr;
    std::shared_ptr<task_graph> child = nullptr;
    cudaMemAllocNodeParams allocation = {};
    std::vector<cudaMemAccessDesc> access = {};
    void* freed = nullptr;
    cudaConditionalNodeParams condition = {};
    std::vector<std::shared_ptr<task_graph>> bodies = {};
    std::vector<cudaGraph_t> body_handles = {};
};

struct user_object {
    void* data;
    cudaHostFn_t destroy;
    unsigned references;
};
// Calls the destructor where none is left.
void release_user_object(const std::shared_ptr<user_object>& object, unsigned count);

struct task_graph {
    task_graph() = default;
    task_graph(const task_graph&) = delete;
    ~task_graph();
    std::vector<std::shared_ptr<graph_node>> nodes;
    cudaGraph_t handle = nullptr;
    bool owned = false;  // by a node, whose child or body it is
    bool moved = false;  // into a node
    // With what each launch sets them to, if anything.
    std::map<cudaGraphConditionalHandle, std::optional<unsigned>> conditions;
    std::map<std::shared_ptr<user_object>, unsigned> user_objects;
};

struct graph_instance {
    std::shared_ptr<task_graph> graph;
    unsigned long long flags = 0;
    cudaGraphExec_t handle = nullptr;
    work_item last = nullptr;  // of its last launch: it does not overlap itself
    std::shared_ptr<task_graph> uploaded = nullptr;  // as kernels launch it
    bool on_device = false;    // one has, and it has not come to its end
};

extern handle_registry<task_graph, cudaGraph_t> graphs;
extern handle_registry<graph_node, cudaGraphNode_t> graph_nodes;
extern handle_registry<graph_instance, cudaGraphExec_t> graph_instances;

cudaGraph_t register_graph(const std::shared_ptr<task_graph>& graph);
void forget_graph(const task_graph& graph);  // and its nodes, by their handles
std::shared_ptr<graph_node> new_node(cudaGraphNodeType type);
void add_node(task_graph& graph, const std::shared_ptr<graph_node>& node);
cudaError_t check_edge(const graph_node& from, const graph_node& to, const cudaGraphEdgeData& data);
void add_edge(std::vector<graph_edge>& edges, const graph_edge& edge);  // once
void bind_arguments(graph_node& node);
// A copy whose nodes have handles if asked for.
std::shared_ptr<task_graph> copy_graph(const task_graph& graph, bool handles);
// The same, as a child or a body of a node; it has a handle itself if its nodes have.
std::shared_ptr<task_graph> inner_copy(const task_graph& graph, bool handles);
std::vector<graph_node*> in_order(const task_graph& graph);  // fewer than all if it has a cycle
// A node of a copy, by the handle of the one it was made of; null if there is none.
graph_node* find_copy(const task_graph& graph, cudaGraphNode_t origin);
graph_node* node_of_instance(cudaGraphExec_t instance, cudaGraphNode_t origin);
// Whether it has nodes of memory or of conditions, which are no one else's as well.
bool holds_something(const task_graph& graph);
bool comes_before(const graph_node& earlier, const std::vector<graph_edge>& later);
template <class F>
void each_graph(const task_graph& graph, F&& act) {  // after its children and bodies
    for (const auto& node : graph.nodes) {
        if (node->child) each_graph(*node->child, act);
        for (const auto& body : node->bodies) each_graph(*body, act);
    }
    act(graph);
}
template <class F>
void each_node(const task_graph& graph, F&& act) {  // of its children and bodies, too
    each_graph(graph, [&](const task_graph& one) {
        for (const auto& node : one.nodes) act(*node);
    });
}

}  // namespace emulator
