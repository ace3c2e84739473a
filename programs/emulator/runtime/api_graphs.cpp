// Graphs: made, copied, asked about, connected.

#include "graphs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "entry.hpp"
#include "graph_dot.hpp"

namespace {

using namespace emulator;

template <class F>
cudaError_t with_graph(cudaGraph_t handle, F&& body) {
    return enter([&] {
        const std::shared_ptr<task_graph> graph = graphs.find(handle);
        return graph ? body(*graph) : cudaErrorInvalidValue;
    });
}
template <class F>
cudaError_t with_node(cudaGraphNode_t handle, F&& body) {
    return enter([&] {
        const std::shared_ptr<graph_node> node = graph_nodes.find(handle);
        return node ? body(*node) : cudaErrorInvalidValue;
    });
}

// As many as there is room for; then zeros, and the number of all if there is no room given.
template <class T>
void hand_out(const std::vector<T>& found, T* room, size_t* count) {
    if (room)
        for (size_t i = 0; i < *count; ++i) room[i] = i < found.size() ? found[i] : T{};
    *count = room ? std::min(*count, found.size()) : found.size();
}

struct edge_list {
    std::vector<cudaGraphNode_t> from, to;
    std::vector<cudaGraphEdgeData> data;
    void add(const graph_node& node, const graph_edge& edge) {
        from.push_back(edge.from->handle);
        to.push_back(node.handle);
        data.push_back(edge.data);
    }
    bool loses(const cudaGraphNode_t* room, const cudaGraphEdgeData* data_room) const {
        return room && !data_room &&
               std::any_of(data.begin(), data.end(), [](const cudaGraphEdgeData& one) {
                   return one.from_port || one.to_port || one.type;
               });
    }
};

bool same(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b) {
    return a.from_port == b.from_port && a.to_port == b.to_port && a.type == b.type;
}

cudaError_t connect(task_graph& graph, cudaGraphNode_t from, cudaGraphNode_t to,
                    const cudaGraphEdgeData& data, bool add) {
    const std::shared_ptr<graph_node> first = graph_nodes.find(from), then = graph_nodes.find(to);
    if (!first || !then || first == then || first->graph != &graph || then->graph != &graph)
        return cudaErrorInvalidValue;
    const auto known =
        std::find_if(then->after.begin(), then->after.end(), [&](const graph_edge& edge) {
            return edge.from == first.get() && (add || same(edge.data, data));
        });
    if ((known != then->after.end()) == add) return cudaErrorInvalidValue;
    if (!add) {
        then->after.erase(known);
        return cudaSuccess;
    }
    const cudaError_t error = check_edge(*first, *then, data);
    if (error == cudaSuccess) then->after.push_back({first.get(), data});
    return error;
}

cudaError_t connect_all(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                        const cudaGraphEdgeData* data, size_t count, bool add) {
    return with_graph(handle, [=](task_graph& graph) {
        if (count && (!from || !to)) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            const cudaError_t error =
                connect(graph, from[i], to[i], data ? data[i] : cudaGraphEdgeData{}, add);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* handle, unsigned flags) {
    return enter([=] {
        if (!handle || flags != 0) return cudaErrorInvalidValue;
        *handle = register_graph(std::make_shared<task_graph>());
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    return look([=] {
        const std::shared_ptr<task_graph> graph = graphs.find(handle);
        if (graph && graph->owned) return cudaErrorInvalidValue;
        if (graph) forget_graph(*graph);
        return graph || graphs.remove(handle) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t handle) {
    return with_graph(handle, [=](task_graph& graph) {
        if (!made) return cudaErrorInvalidValue;
        if (holds_something(graph)) return cudaErrorNotSupported;
        *made = register_graph(copy_graph(graph, true));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
    return with_graph(clone, [=](task_graph& graph) {
        const graph_node* node = find_copy(graph, original);
        if (!found || !node) return cudaErrorInvalidValue;
        *found = node->handle;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* room, size_t* count) {
    return with_graph(handle, [=](task_graph& graph) {
        if (!count) return cudaErrorInvalidValue;
        std::vector<cudaGraphNode_t> found;
        for (const auto& node : graph.nodes) found.push_back(node->handle);
        hand_out(found, room, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* room, size_t* count) {
    return with_graph(handle, [=](task_graph& graph) {
        if (!count) return cudaErrorInvalidValue;
        std::vector<cudaGraphNode_t> found;
        for (const auto& node : graph.nodes)
            if (node->after.empty()) found.push_back(node->handle);
        hand_out(found, room, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
    return with_graph(handle, [=](task_graph& graph) {
        if (!count || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
        edge_list edges;
        for (const auto& node : graph.nodes)
            for (const graph_edge& edge : node->after) edges.add(*node, edge);
        if (edges.loses(from, data)) return cudaErrorLossyQuery;
        size_t room = *count;
        if (data) hand_out(edges.data, data, &(room = *count));
        hand_out(edges.to, to, &(room = *count));
        hand_out(edges.from, from, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* found,
                                         cudaGraphEdgeData* data, size_t* count) {
    return with_node(handle, [=](graph_node& node) {
        if (!count) return cudaErrorInvalidValue;
        edge_list edges;
        for (const graph_edge& edge : node.after) edges.add(node, edge);
        if (edges.loses(found, data)) return cudaErrorLossyQuery;
        size_t room = *count;
        if (data) hand_out(edges.data, data, &room);
        hand_out(edges.from, found, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* found,
                                           cudaGraphEdgeData* data, size_t* count) {
    return with_node(handle, [=](graph_node& node) {
        if (!count) return cudaErrorInvalidValue;
        edge_list edges;
        for (const auto& other : node.graph->nodes)
            for (const graph_edge& edge : other->after)
                if (edge.from == &node) edges.add(*other, edge);
        if (edges.loses(found, data)) return cudaErrorLossyQuery;
        size_t room = *count;
        if (data) hand_out(edges.data, data, &room);
        hand_out(edges.to, found, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count) {
    return connect_all(graph, from, to, data, count, true);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
    return connect_all(graph, from, to, data, count, false);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
    return with_node(handle, [=](graph_node& node) {
        if (node.type == cudaGraphNodeTypeMemAlloc || node.type == cudaGraphNodeTypeMemFree)
            return cudaErrorNotSupported;
        task_graph& graph = *node.graph;
        for (const auto& other : graph.nodes)
            std::erase_if(other->after, [&](const graph_edge& edge) { return edge.from == &node; });
        graph_nodes.remove(handle);
        std::erase_if(graph.nodes, [&](const auto& other) { return other.get() == &node; });
        return cudaSuccess;
    });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
    return with_node(handle, [=](graph_node& node) {
        if (!type) return cudaErrorInvalidValue;
        *type = node.type;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned flags) {
    return with_graph(handle, [=](task_graph& graph) {
        if (!path) return cudaErrorInvalidValue;
        return write_dot(graph, path, flags) ? cudaSuccess : cudaErrorOperatingSystem;
    });
}

}  // extern "C"
