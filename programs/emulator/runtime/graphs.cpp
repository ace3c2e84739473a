#include "graphs.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace emulator {

handle_registry<task_graph, cudaGraph_t> graphs;
handle_registry<graph_node, cudaGraphNode_t> graph_nodes;
handle_registry<graph_instance, cudaGraphExec_t> graph_instances;

void release_user_object(const std::shared_ptr<user_object>& object, unsigned count) {
    object->references -= std::min(count, object->references);
    if (object->references == 0 && object->destroy) {
        const cudaHostFn_t destroy = object->destroy;
        object->destroy = nullptr;
        destroy(object->data);
    }
}

task_graph::~task_graph() {
    for (const auto& [object, count] : user_objects) release_user_object(object, count);
}

cudaGraph_t register_graph(const std::shared_ptr<task_graph>& graph) {
    return graph->handle = graphs.add(graph);
}

void forget_graph(const task_graph& graph) {
    each_graph(graph, [](const task_graph& one) {
        for (const auto& node : one.nodes) graph_nodes.remove(node->handle);
        graphs.remove(one.handle);
    });
}

std::shared_ptr<graph_node> new_node(cudaGraphNodeType type) {
    auto node = std::make_shared<graph_node>();
    node->type = type;
    return node;
}

void add_node(task_graph& graph, const std::shared_ptr<graph_node>& node) {
    node->graph = &graph;
    node->handle = graph_nodes.add(node);
    graph.nodes.push_back(node);
}

// Only kernels have ports other than their end, and only kernels may begin at them.
cudaError_t check_edge(const graph_node& from, const graph_node& to,
                       const cudaGraphEdgeData& data) {
    if (data.to_port != 0 || data.type > cudaGraphDependencyTypeProgrammatic)
        return cudaErrorInvalidValue;
    const bool kernels = from.type == cudaGraphNodeTypeKernel && to.type == cudaGraphNodeTypeKernel;
    if (data.type == cudaGraphDependencyTypeProgrammatic)
        return kernels && (data.from_port == cudaGraphKernelNodePortProgrammatic ||
                           data.from_port == cudaGraphKernelNodePortLaunchCompletion)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    return data.from_port == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

void add_edge(std::vector<graph_edge>& edges, const graph_edge& edge) {
    for (const graph_edge& known : edges)
        if (known.from == edge.from && known.data.type == edge.data.type &&
            known.data.from_port == edge.data.from_port)
            return;
    edges.push_back(edge);
}

void bind_arguments(graph_node& node) {
    node.arguments.clear();
    for (auto& value : node.launch.values) node.arguments.push_back(value.data());
}

std::shared_ptr<task_graph> copy_graph(const task_graph& graph, bool handles) {
    auto made = std::make_shared<task_graph>();
    made->conditions = graph.conditions;
    made->user_objects = graph.user_objects;
    for (const auto& [object, count] : made->user_objects) object->references += count;
    std::map<const graph_node*, graph_node*> copies;
    for (const auto& node : graph.nodes) {
        auto copied = std::make_shared<graph_node>(*node);
        copied->origin = node->handle;
        copied->graph = made.get();
        bind_arguments(*copied);
        if (node->child) copied->child = inner_copy(*node->child, handles);
        for (auto& body : copied->bodies) body = inner_copy(*body, handles);
        copied->handle = handles ? graph_nodes.add(copied) : nullptr;
        copies[node.get()] = copied.get();
        made->nodes.push_back(std::move(copied));
    }
    for (const auto& node : made->nodes)
        for (graph_edge& edge : node->after) edge.from = copies.at(edge.from);
    return made;
}

std::shared_ptr<task_graph> inner_copy(const task_graph& graph, bool handles) {
    const std::shared_ptr<task_graph> made = copy_graph(graph, handles);
    made->owned = true;
    if (handles) register_graph(made);
    return made;
}

std::vector<graph_node*> in_order(const task_graph& graph) {
    std::vector<graph_node*> order;
    std::set<const graph_node*> done;
    for (bool progress = true; progress;) {
        progress = false;
        for (const auto& node : graph.nodes) {
            const bool able = std::all_of(node->after.begin(), node->after.end(),
                                          [&](const graph_edge& e) { return done.count(e.from); });
            if (!able || !done.insert(node.get()).second) continue;
            order.push_back(node.get());
            progress = true;
        }
    }
    return order;
}

graph_node* find_copy(const task_graph& graph, cudaGraphNode_t origin) {
    graph_node* found = nullptr;
    if (origin)
        each_node(graph, [&](graph_node& node) {
            if (node.origin == origin) found = &node;
        });
    return found;
}

graph_node* node_of_instance(cudaGraphExec_t instance, cudaGraphNode_t origin) {
    const std::shared_ptr<graph_instance> found = graph_instances.find(instance);
    return found ? find_copy(*found->graph, origin) : nullptr;
}

bool holds_something(const task_graph& graph) {
    bool holds = false;
    each_node(graph, [&](const graph_node& node) {
        holds = holds || node.type == cudaGraphNodeTypeMemAlloc ||
                node.type == cudaGraphNodeTypeMemFree || node.type == cudaGraphNodeTypeConditional;
    });
    return holds;
}

bool comes_before(const graph_node& earlier, const std::vector<graph_edge>& later) {
    std::set<const graph_node*> seen;
    std::vector<const graph_node*> left;
    for (const graph_edge& edge : later) left.push_back(edge.from);
    while (!left.empty()) {
        const graph_node* node = left.back();
        left.pop_back();
        if (node == &earlier) return true;
        if (!seen.insert(node).second) continue;
        for (const graph_edge& edge : node->after) left.push_back(edge.from);
    }
    return false;
}

}  // namespace emulator
