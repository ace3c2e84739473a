// Instances of graphs: made, changed, launched.

#include <algorithm>
#include <memory>
#include <utility>

#include "captures.hpp"
#include "graph_parameters.hpp"
#include "graph_runs.hpp"
#include "memory_sides.hpp"

namespace {

using namespace emulator;

struct refusal {
    cudaError_t error;
    cudaGraphInstantiateResult result;
    cudaGraphNode_t node = nullptr;
};

bool is_plain(cudaGraphNodeType type) {
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeGraph;
}

// Only the host could carry out such a copy.
bool touches_pageable(const graph_node& node) {
    return node.type == cudaGraphNodeTypeMemcpy &&
           (side_of(node.copy.srcPtr.ptr) == memory_side::pageable ||
            side_of(node.copy.dstPtr.ptr) == memory_side::pageable);
}

// What keeps a graph, or one in it, from being instantiated.
refusal check(const task_graph& graph, bool body, bool for_device) {
    if (in_order(graph).size() != graph.nodes.size())
        return {cudaErrorInvalidValue, cudaGraphInstantiateInvalidStructure};
    for (const auto& node : graph.nodes) {
        const cudaGraphNodeType type = node->type;
        const bool allowed =
            is_plain(type) || (!for_device && (!body || type == cudaGraphNodeTypeEmpty ||
                                               type == cudaGraphNodeTypeConditional));
        if (!allowed || ((body || for_device) && touches_pageable(*node)))
            return {cudaErrorInvalidValue, cudaGraphInstantiateNodeOperationNotSupported,
                    node->handle};
        if (node->child)
            if (const refusal found = check(*node->child, body, for_device); found.error)
                return found;
        for (const auto& inner : node->bodies)
            if (const refusal found = check(*inner, true, for_device); found.error) return found;
    }
    return {cudaSuccess, cudaGraphInstantiateSuccess};
}

bool leaves_a_condition_unused(const task_graph& graph) {
    auto unused = graph.conditions;
    each_node(graph, [&](const graph_node& node) {
        for (const auto& body : node.bodies)
            for (const auto& condition : body->conditions) unused.insert(condition);
    });
    each_node(graph, [&](const graph_node& node) { unused.erase(node.condition.handle); });
    return !unused.empty();
}

// Graphs whose nodes hold something have one instance at a time.
bool is_taken(const task_graph& graph) {
    bool taken = false;
    graph_instances.for_each([&](const graph_instance& instance) {
        taken = taken || (!graph.nodes.empty() &&
                          find_copy(*instance.graph, graph.nodes.front()->handle) != nullptr);
    });
    return taken && holds_something(graph);
}

refusal instantiate(cudaGraphExec_t* made, cudaGraph_t handle, unsigned long long flags) {
    constexpr unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const std::shared_ptr<task_graph> graph = graphs.find(handle);
    const bool for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    if (graph && graph->moved) return {cudaErrorNotSupported, cudaGraphInstantiateError};
    if (!made || !graph || graph->owned || flags & ~known ||
        (for_device && (graph->nodes.empty() || flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)))
        return {cudaErrorInvalidValue, cudaGraphInstantiateError};
    const refusal found = check(*graph, false, for_device);
    if (found.error != cudaSuccess) return found;
    if (leaves_a_condition_unused(*graph))
        return {cudaErrorInvalidValue, cudaGraphInstantiateConditionalHandleUnused};
    if (is_taken(*graph)) return {cudaErrorNotSupported, cudaGraphInstantiateError};
    auto instance = std::make_shared<graph_instance>();
    instance->graph = copy_graph(*graph, false);
    instance->flags = flags;
    *made = graph_instances.add(instance);
    instance->handle = *made;
    return {cudaSuccess, cudaGraphInstantiateSuccess};
}

using node_pairs = std::map<const graph_node*, graph_node*>;  // of the other graph, with own nodes

std::vector<graph_node*> sinks_of(const task_graph& graph) {
    std::vector<graph_node*> sinks;
    for (const auto& node : graph.nodes)
        if (std::none_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& other) {
                return std::any_of(other->after.begin(), other->after.end(),
                                   [&](const graph_edge& edge) { return edge.from == node.get(); });
            }))
            sinks.push_back(node.get());
    return sinks;
}

// Pairs two nodes, and what they depend on, in the order of their edges.
cudaGraphExecUpdateResultInfo paired(graph_node& node, const graph_node& other, node_pairs& pairs) {
    const auto [known, fresh] = pairs.try_emplace(&other, &node);
    if (!fresh)
        return {known->second == &node ? cudaGraphExecUpdateSuccess
                                       : cudaGraphExecUpdateErrorTopologyChanged,
                nullptr, nullptr};
    if (node.type != other.type)
        return {cudaGraphExecUpdateErrorNodeTypeChanged, other.handle, nullptr};
    if (node.after.size() != other.after.size())
        return {cudaGraphExecUpdateErrorTopologyChanged, other.handle, nullptr};
    for (size_t edge = 0; edge < node.after.size(); ++edge) {
        if (node.after[edge].data.type != other.after[edge].data.type)
            return {cudaGraphExecUpdateErrorTopologyChanged, other.handle,
                    other.after[edge].from->handle};
        const auto found = paired(*node.after[edge].from, *other.after[edge].from, pairs);
        if (found.result != cudaGraphExecUpdateSuccess) return found;
    }
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void take_user_objects(task_graph& graph, const task_graph& wanted) {
    for (const auto& [object, count] : wanted.user_objects) object->references += count;
    const auto before = std::exchange(graph.user_objects, wanted.user_objects);
    for (const auto& [object, count] : before) release_user_object(object, count);
}

cudaGraphExecUpdateResultInfo updated(task_graph& graph, const task_graph& wanted) {
    const std::vector<graph_node*> sinks = sinks_of(graph), others = sinks_of(wanted);
    if (graph.nodes.size() != wanted.nodes.size() || sinks.size() != others.size())
        return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    node_pairs pairs;
    for (size_t i = 0; i < sinks.size(); ++i)
        if (const auto found = paired(*sinks[i], *others[i], pairs); found.result) return found;
    for (const auto& [other, node] : pairs) {
        const cudaGraphExecUpdateResult result = take_over(*node, *other);
        if (result != cudaGraphExecUpdateSuccess) return {result, other->handle, nullptr};
        if (node->child)
            if (const auto inner = updated(*node->child, *other->child); inner.result) return inner;
        for (size_t body = 0; body < node->bodies.size(); ++body)
            if (const auto inner = updated(*node->bodies[body], *other->bodies[body]); inner.result)
                return inner;
    }
    take_user_objects(graph, wanted);
    graph.conditions = wanted.conditions;
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

template <class F>
cudaError_t with_instance(cudaGraphExec_t handle, F&& body) {
    return enter([&] {
        const std::shared_ptr<graph_instance> instance = graph_instances.find(handle);
        return instance ? body(*instance) : cudaErrorInvalidValue;
    });
}
template <class F>
cudaError_t with_its_node(cudaGraphExec_t handle, cudaGraphNode_t node_handle, F&& body) {
    return enter([&] {
        graph_node* node = node_of_instance(handle, node_handle);
        return node ? body(*node) : cudaErrorInvalidValue;
    });
}
// The same for a node that can be switched off.
template <class F>
cudaError_t with_its_switch(cudaGraphExec_t handle, cudaGraphNode_t node_handle, F&& body) {
    return with_its_node(handle, node_handle, [&](graph_node& node) {
        const bool right = is_plain(node.type) && node.type != cudaGraphNodeTypeGraph;
        return right ? body(node.enabled) : cudaErrorInvalidValue;
    });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                 unsigned long long flags) {
    return enter([=] { return instantiate(made, graph, flags).error; });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* wanted) {
    if (!wanted) return refuse(cudaErrorInvalidValue);
    return in_stream(wanted->uploadStream, [=](device_stream&) {
        const refusal found = instantiate(made, graph, wanted->flags);
        wanted->result_out = found.result;
        wanted->errNode_out = found.node;
        if (found.error == cudaSuccess)
            upload_if(*graph_instances.find(*made), wanted->flags & cudaGraphInstantiateFlagUpload);
        return found.error;
    });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
    return with_instance(handle, [=](graph_instance& instance) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = instance.flags & ~(unsigned long long)(cudaGraphInstantiateFlagUpload);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle) {
    return in_stream(stream_handle, [=](device_stream& stream) {
        const std::shared_ptr<graph_instance> instance = graph_instances.find(handle);
        if (!instance) return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        upload_if(*instance, true);
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
    return in_stream(stream_handle, [=](device_stream& stream) {
        const std::shared_ptr<graph_instance> instance = graph_instances.find(handle);
        if (!instance) return cudaErrorInvalidValue;
        if (!stream.capture) return launch_graph(instance, stream);
        const std::shared_ptr<graph_node> node = new_node(cudaGraphNodeTypeGraph);
        node->child = inner_copy(*instance->graph, true);
        capture_node(stream, node);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    return look(
        [=] { return graph_instances.remove(instance) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* info) {
    return with_instance(handle, [=](graph_instance& instance) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph || !info || graph->moved) return cudaErrorInvalidValue;
        *info = updated(*instance.graph, *graph);
        return info->result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                          : cudaErrorGraphExecUpdateFailure;
    });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaGraph_t graph_handle) {
    return with_its_node(handle, node, [=](graph_node& found) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph || found.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
        const auto result = updated(*found.child, *graph).result;
        return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned enabled) {
    return with_its_switch(handle, node, [=](bool& on) {
        on = enabled != 0;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned* enabled) {
    return with_its_switch(handle, node, [=](bool& on) {
        if (!enabled) return cudaErrorInvalidValue;
        *enabled = on;
        return cudaSuccess;
    });
}

}  // extern "C"
