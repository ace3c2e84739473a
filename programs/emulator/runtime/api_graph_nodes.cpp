// Nodes of graphs: added, asked about, changed.

#include <memory>

#include "entry.hpp"
#include "graph_parameters.hpp"
#include "launches.hpp"

namespace {

using namespace emulator;

cudaError_t add(cudaGraphNode_t* made, cudaGraph_t handle, const cudaGraphNode_t* after,
                const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams& wanted) {
    return enter([&] {
        const std::shared_ptr<task_graph> graph = graphs.find(handle);
        if (!made || !graph || (count && !after)) return cudaErrorInvalidValue;
        const std::shared_ptr<graph_node> node = new_node(wanted.type);
        node->graph = graph.get();
        for (size_t i = 0; i < count; ++i) {
            const std::shared_ptr<graph_node> before = graph_nodes.find(after[i]);
            if (!before || before->graph != graph.get()) return cudaErrorInvalidValue;
            const graph_edge edge{before.get(), data ? data[i] : cudaGraphEdgeData{}};
            const cudaError_t error = check_edge(*before, *node, edge.data);
            if (error != cudaSuccess) return error;
            for (const graph_edge& known : node->after)
                if (known.from == edge.from) return cudaErrorInvalidValue;
            node->after.push_back(edge);
        }
        const cudaError_t error = set_parameters(*node, wanted);
        if (error != cudaSuccess) return error;
        add_node(*graph, node);
        *made = node->handle;
        return cudaSuccess;
    });
}

template <class F>
cudaError_t with_node(cudaGraphNode_t handle, cudaGraphNodeType type, F&& body) {
    return enter([&] {
        const std::shared_ptr<graph_node> node = graph_nodes.find(handle);
        return node && node->type == type ? body(*node) : cudaErrorInvalidValue;
    });
}

cudaError_t set(cudaGraphNode_t handle, cudaGraphNodeParams wanted) {
    return with_node(handle, wanted.type,
                     [&](graph_node& node) { return set_parameters(node, wanted); });
}

cudaGraphNodeParams of_type(cudaGraphNodeType type) {
    cudaGraphNodeParams made{};
    made.type = type;
    return made;
}
cudaGraphNodeParams parameters(const cudaKernelNodeParams& wanted) {
    cudaGraphNodeParams made = of_type(cudaGraphNodeTypeKernel);
    made.kernel = {wanted.func,           wanted.gridDim,      wanted.blockDim,
                   wanted.sharedMemBytes, wanted.kernelParams, wanted.extra};
    return made;
}
cudaGraphNodeParams parameters(const cudaMemcpy3DParms& wanted) {
    cudaGraphNodeParams made = of_type(cudaGraphNodeTypeMemcpy);
    made.memcpy.copyParams = wanted;
    return made;
}
cudaGraphNodeParams parameters(const cudaMemsetParams& wanted) {
    cudaGraphNodeParams made = of_type(cudaGraphNodeTypeMemset);
    made.memset = {wanted.dst,         wanted.pitch, wanted.value,
                   wanted.elementSize, wanted.width, wanted.height};
    return made;
}
cudaGraphNodeParams parameters(const cudaHostNodeParams& wanted) {
    cudaGraphNodeParams made = of_type(cudaGraphNodeTypeHost);
    made.host = {wanted.fn, wanted.userData};
    return made;
}
cudaGraphNodeParams row(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    copy.dstPtr = {to, bytes, bytes, 1};
    copy.extent = {bytes, 1, 1};
    copy.kind = kind;
    return parameters(copy);
}
cudaGraphNodeParams event_of(cudaGraphNodeType type, cudaEvent_t event) {
    cudaGraphNodeParams made = of_type(type);
    if (type == cudaGraphNodeTypeEventRecord)
        made.eventRecord.event = event;
    else
        made.eventWait.event = event;
    return made;
}

cudaError_t add_given(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                      size_t count, cudaGraphNodeParams wanted) {
    return add(made, graph, after, nullptr, count, wanted);
}

}  // namespace

#define ADDS(name, ...)                                                      \
    cudaError_t cudaGraphAdd##name(cudaGraphNode_t* made, cudaGraph_t graph, \
                                   const cudaGraphNode_t* after,             \
                                   size_t count __VA_OPT__(, ) __VA_ARGS__)
#define GIVEN(wanted)                                                      \
    (wanted) ? add_given(made, graph, after, count, parameters(*(wanted))) \
             : refuse(cudaErrorInvalidValue)

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* data, size_t count,
                             cudaGraphNodeParams* wanted) {
    if (!wanted) return refuse(cudaErrorInvalidValue);
    return add(made, graph, after, data, count, *wanted);
}
ADDS(KernelNode, const cudaKernelNodeParams* wanted) { return GIVEN(wanted); }
ADDS(MemcpyNode, const cudaMemcpy3DParms* wanted) { return GIVEN(wanted); }
ADDS(MemsetNode, const cudaMemsetParams* wanted) { return GIVEN(wanted); }
ADDS(HostNode, const cudaHostNodeParams* wanted) { return GIVEN(wanted); }
ADDS(MemcpyNode1D, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return add_given(made, graph, after, count, row(to, from, bytes, kind));
}
ADDS(EmptyNode) { return add_given(made, graph, after, count, of_type(cudaGraphNodeTypeEmpty)); }
ADDS(EventRecordNode, cudaEvent_t event) {
    return add_given(made, graph, after, count, event_of(cudaGraphNodeTypeEventRecord, event));
}
ADDS(EventWaitNode, cudaEvent_t event) {
    return add_given(made, graph, after, count, event_of(cudaGraphNodeTypeWaitEvent, event));
}
ADDS(ChildGraphNode, cudaGraph_t child) {
    cudaGraphNodeParams wanted = of_type(cudaGraphNodeTypeGraph);
    wanted.graph.graph = child;
    return add_given(made, graph, after, count, wanted);
}
ADDS(MemAllocNode, cudaMemAllocNodeParams* params) {
    if (!params) return refuse(cudaErrorInvalidValue);
    cudaGraphNodeParams wanted = of_type(cudaGraphNodeTypeMemAlloc);
    wanted.alloc = {params->poolProps, params->accessDescs, params->accessDescCount,
                    params->bytesize, nullptr};
    const cudaError_t error = add(made, graph, after, nullptr, count, wanted);
    params->dptr = wanted.alloc.dptr;
    return error;
}
ADDS(MemFreeNode, void* place) {
    cudaGraphNodeParams wanted = of_type(cudaGraphNodeTypeMemFree);
    wanted.free.dptr = place;
    return add_given(made, graph, after, count, wanted);
}

#define GETS(name, type, ...)                                                 \
    return with_node(handle, cudaGraphNodeType##type, [=](graph_node& name) { \
        if (!found) return cudaErrorInvalidValue;                             \
        __VA_ARGS__;                                                          \
        return cudaSuccess;                                                   \
    })
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* found) {
    GETS(node, Kernel, const cudaKernelNodeParamsV2 all = parameters_of(node).kernel;
         *found = {all.func, all.gridDim, all.blockDim, all.sharedMemBytes, all.kernelParams,
                   nullptr});
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* found) {
    GETS(node, Memcpy, *found = node.copy);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* found) {
    GETS(node, Memset, *found = node.fill);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* found) {
    GETS(node, Host, *found = node.host);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* found) {
    GETS(node, Graph, *found = node.child->handle);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* found) {
    GETS(node, EventRecord, *found = node.event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* found) {
    GETS(node, WaitEvent, *found = node.event);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, cudaMemAllocNodeParams* found) {
    GETS(node, MemAlloc, *found = node.allocation);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* found) {
    GETS(node, MemFree, *static_cast<void**>(found) = node.freed);
}

#define SET_GIVEN(wanted) \
    return (wanted) ? set(handle, parameters(*(wanted))) : refuse(cudaErrorInvalidValue)
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, cudaGraphNodeParams* wanted) {
    return wanted ? set(handle, *wanted) : refuse(cudaErrorInvalidValue);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const cudaKernelNodeParams* wanted) {
    SET_GIVEN(wanted);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle, const cudaMemcpy3DParms* wanted) {
    SET_GIVEN(wanted);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
    return set(handle, row(to, from, bytes, kind));
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle, const cudaMemsetParams* wanted) {
    SET_GIVEN(wanted);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle, const cudaHostNodeParams* wanted) {
    SET_GIVEN(wanted);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
    return set(handle, event_of(cudaGraphNodeTypeEventRecord, event));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
    return set(handle, event_of(cudaGraphNodeTypeWaitEvent, event));
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID which,
                                            const cudaLaunchAttributeValue* value) {
    return with_node(handle, cudaGraphNodeTypeKernel, [=](graph_node& node) {
        if (!value) return cudaErrorInvalidValue;
        if (is_of_memory(which))
            if (const cudaError_t error = check_of_memory(which, *value)) return error;
        node.attributes[which] = *value;
        cudaGraphNodeParams same = parameters_of(node);
        return set_parameters(node, same);
    });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID which,
                                            cudaLaunchAttributeValue* found) {
    GETS(node, Kernel, const auto known = node.attributes.find(which);
         *found = known == node.attributes.end() ? usual_value(which) : known->second);
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return with_node(to, cudaGraphNodeTypeKernel, [=](graph_node& node) {
        const std::shared_ptr<graph_node> source = graph_nodes.find(from);
        if (!source || source->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
        node.attributes = source->attributes;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* made, cudaGraph_t handle,
                                             unsigned value, unsigned flags) {
    static cudaGraphConditionalHandle handles;
    return enter([=] {
        const std::shared_ptr<task_graph> graph = graphs.find(handle);
        if (!made || !graph || flags & ~unsigned(cudaGraphCondAssignDefault))
            return cudaErrorInvalidValue;
        *made = ++handles;
        std::optional<unsigned>& assigned = graph->conditions[*made];
        if (flags & cudaGraphCondAssignDefault) assigned = value;
        return cudaSuccess;
    });
}

// What an instance's node does from the next launch on.
static cudaError_t change(cudaGraphExec_t instance, cudaGraphNode_t handle,
                          cudaGraphNodeParams wanted) {
    return enter([&] {
        graph_node* node = node_of_instance(instance, handle);
        if (!node || node->type != wanted.type) return cudaErrorInvalidValue;
        return change_parameters(*node, wanted);
    });
}
#define CHANGES(name, ...) \
    cudaError_t cudaGraphExec##name(cudaGraphExec_t instance, cudaGraphNode_t handle, __VA_ARGS__)
#define CHANGE_GIVEN(wanted)                                          \
    return (wanted) ? change(instance, handle, parameters(*(wanted))) \
                    : refuse(cudaErrorInvalidValue)
CHANGES(NodeSetParams, cudaGraphNodeParams* wanted) {
    return wanted ? change(instance, handle, *wanted) : refuse(cudaErrorInvalidValue);
}
CHANGES(KernelNodeSetParams, const cudaKernelNodeParams* wanted) { CHANGE_GIVEN(wanted); }
CHANGES(MemcpyNodeSetParams, const cudaMemcpy3DParms* wanted) { CHANGE_GIVEN(wanted); }
CHANGES(MemsetNodeSetParams, const cudaMemsetParams* wanted) { CHANGE_GIVEN(wanted); }
CHANGES(HostNodeSetParams, const cudaHostNodeParams* wanted) { CHANGE_GIVEN(wanted); }
CHANGES(MemcpyNodeSetParams1D, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return change(instance, handle, row(to, from, bytes, kind));
}
// There are no such nodes here, since nothing of others can be imported.
CHANGES(ExternalSemaphoresSignalNodeSetParams, const cudaExternalSemaphoreSignalNodeParams*) {
    (void)instance, (void)handle;
    return refuse(cudaErrorInvalidValue);
}
CHANGES(ExternalSemaphoresWaitNodeSetParams, const cudaExternalSemaphoreWaitNodeParams*) {
    (void)instance, (void)handle;
    return refuse(cudaErrorInvalidValue);
}
CHANGES(EventRecordNodeSetEvent, cudaEvent_t event) {
    return change(instance, handle, event_of(cudaGraphNodeTypeEventRecord, event));
}
CHANGES(EventWaitNodeSetEvent, cudaEvent_t event) {
    return change(instance, handle, event_of(cudaGraphNodeTypeWaitEvent, event));
}

}  // extern "C"
