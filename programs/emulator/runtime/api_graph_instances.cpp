// Instances of graphs: made, changed, launched.

#include <algorithm>
#include <memory>
#include <utility>

#include "captures.hpp"
#include "graph_parameters.hpp"
#include "graph_runs.hpp"

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

// What keeps a graph, or one in it, from being instantiated.
refusal check(const task_graph& graph, bool body, bool for_device) {
    if (in_order(graph).size() != graph.nodes.size())
        return {cudaErrorInvalidValue, cudaGraphInstantiateInvalidStructure};
    for (const auto& node : graph.nodes) {
        const cudaGraphNodeType type = node->type;
        const bool allowed =
            is_plain(type) || (!for_device && (!body || type == cudaGraphNodeTypeEmpty ||
                                               type == cudaGraphNodeTypeConditional));
        if (!allowed)
            return {cudaErrorNotSupported, cudaGraphInstantiateNodeOperationNotSupported,
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
    std::map<cudaGraphConditionalHandle, unsigned> unused = graph.conditions;
    each_node(graph, [&](const graph_node& node) {
        for (const auto& body : node.bodies)
            for (const auto& condition : body->conditions) unused.insert(condition);
    });
    each_node(graph, [&](const graph_node& node) { unused.erase(node.condition.handle); });
    return !unused.empty();
}

// Graphs whose nodes hold something have one instance at a time.
bool is_taken(const task_graph& graph) {
    bool holds = false, taken = false;
    each_node(graph, [&](const graph_node& node) {
        holds = holds || node.type == cudaGraphNodeTypeMemAlloc ||
                node.type == cudaGraphNodeTypeMemFree || node.type == cudaGraphNodeTypeConditional;
    });
    graph_instances.for_each([&](const graph_instance& instance) {
        taken = taken || (!graph.nodes.empty() &&
                          find_copy(*instance.graph, graph.nodes.front()->handle) != nullptr);
    });
    return holds && taken;
}

refusal instantiate(cudaGraphExec_t* made, cudaGraph_t handle, unsigned long long flags) {
    constexpr unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const std::shared_ptr<task_graph> graph = graphs.find(handle);
    const bool for_device = flags & cudaGraphInstantiateFlagDeviceLaunch;
    if (!made || !graph || graph->owned || flags & ~known ||
        (for_device && (graph->nodes.empty() || flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)))
        return {cudaErrorInvalidValue, cudaGraphInstantiateError};
    const refusal found = check(*graph, false, for_device);
    if (found.error != cudaSuccess) return found;
    if (leaves_a_condition_unused(*graph))
        return {cudaErrorInvalidValue, cudaGraphInstantiateConditionalHandleUnused};
    if (is_taken(*graph)) return {cudaErrorInvalidValue, cudaGraphInstantiateError};
    auto instance = std::make_shared<graph_instance>();
    instance->graph = copy_graph(*graph, false);
    instance->flags = flags;
    *made = graph_instances.add(instance);
    instance->handle = *made;
    return {cudaSuccess, cudaGraphInstantiateSuccess};
}

cudaGraphExecUpdateResultInfo updated(task_graph& graph, const task_graph& wanted) {
    if (graph.nodes.size() != wanted.nodes.size())
        return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    std::map<const graph_node*, const graph_node*> partner;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        partner[wanted.nodes[i].get()] = graph.nodes[i].get();
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        graph_node& node = *graph.nodes[i];
        const graph_node& other = *wanted.nodes[i];
        bool same = node.after.size() == other.after.size();
        for (size_t edge = 0; same && edge < node.after.size(); ++edge)
            same = std::any_of(node.after.begin(), node.after.end(), [&](const graph_edge& known) {
                return known.from == partner[other.after[edge].from] &&
                       known.data.type == other.after[edge].data.type;
            });
        if (!same) return {cudaGraphExecUpdateErrorTopologyChanged, other.handle, nullptr};
        if (node.type != other.type)
            return {cudaGraphExecUpdateErrorNodeTypeChanged, other.handle, nullptr};
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        graph_node& node = *graph.nodes[i];
        const graph_node& other = *wanted.nodes[i];
        const cudaGraphExecUpdateResult result = take_over(node, other);
        if (result != cudaGraphExecUpdateSuccess) return {result, other.handle, nullptr};
        if (node.child)
            if (const auto inner = updated(*node.child, *other.child); inner.result) return inner;
        for (size_t body = 0; body < node.bodies.size(); ++body)
            if (const auto inner = updated(*node.bodies[body], *other.bodies[body]); inner.result)
                return inner;
    }
    graph.conditions = wanted.conditions;
    graph.assigned = wanted.assigned;
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
    return with_instance(handle, [&](graph_instance& instance) {
        graph_node* node = find_copy(*instance.graph, node_handle);
        return node ? body(instance, *node) : cudaErrorInvalidValue;
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
            graph_instances.find(*made)->uploaded = wanted->flags & cudaGraphInstantiateFlagUpload;
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
        instance->uploaded = true;
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
        node->child = copy_graph(*instance->graph, true);
        node->child->owned = true;
        register_graph(node->child);
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
        instance.uploaded = false;
        return info->result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                          : cudaErrorGraphExecUpdateFailure;
    });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaGraph_t graph_handle) {
    return with_its_node(handle, node, [=](graph_instance&, graph_node& found) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph || found.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
        const auto result = updated(*found.child, *graph).result;
        return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned enabled) {
    return with_its_node(handle, node, [=](graph_instance&, graph_node& found) {
        if (!is_plain(found.type) || found.type == cudaGraphNodeTypeGraph)
            return cudaErrorInvalidValue;
        found.enabled = enabled != 0;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node,
                                    unsigned* enabled) {
    return with_its_node(handle, node, [=](graph_instance&, graph_node& found) {
        if (!enabled || !is_plain(found.type) || found.type == cudaGraphNodeTypeGraph)
            return cudaErrorInvalidValue;
        *enabled = found.enabled;
        return cudaSuccess;
    });
}

}  // extern "C"
