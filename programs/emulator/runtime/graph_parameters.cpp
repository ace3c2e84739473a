#include "graph_parameters.hpp"

#include <cstring>

#include "copies.hpp"
#include "events.hpp"
#include "graph_memory.hpp"
#include "launches.hpp"
#include "memory_sides.hpp"

namespace emulator {

namespace {

cudaError_t set_kernel(graph_node& node, const cudaKernelNodeParamsV2& wanted) {
    if (wanted.extra) return cudaErrorNotSupported;
    launch_request request{wanted.func, wanted.gridDim, wanted.blockDim, wanted.kernelParams,
                           wanted.sharedMemBytes};
    for (const auto& [which, value] : node.attributes) {
        const cudaLaunchAttribute attribute{cudaLaunchAttributeID(which), {}, value};
        read_attributes(&attribute, 1, &request);
    }
    request.early = false;  // edges say so
    kernel_launch made;
    const cudaError_t error = make_launch(request, &made);
    if (error != cudaSuccess) return error;
    node.launch = std::move(made);
    bind_arguments(node);
    return cudaSuccess;
}

cudaError_t set_event(graph_node& node, cudaEvent_t handle) {
    const std::shared_ptr<device_event> event = events.find(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    node.event = handle;
    node.noted = event;
    return cudaSuccess;
}

cudaError_t set_child(graph_node& node, const cudaChildGraphNodeParams& wanted) {
    const std::shared_ptr<task_graph> given = graphs.find(wanted.graph);
    if (given && given->moved) return cudaErrorNotSupported;
    if (!given || given->owned || given.get() == node.graph) return cudaErrorInvalidValue;
    if (wanted.ownership == cudaGraphChildGraphOwnershipMove) {
        given->owned = given->moved = true;
        node.child = given;
        return cudaSuccess;
    }
    if (holds_something(*given)) return cudaErrorNotSupported;
    if (node.child) forget_graph(*node.child);
    node.child = inner_copy(*given, true);
    return cudaSuccess;
}

cudaError_t set_allocation(graph_node& node, cudaMemAllocNodeParamsV2& wanted) {
    const cudaMemPoolProps& pool = wanted.poolProps;
    if (node.graph->moved || pool.handleTypes != cudaMemHandleTypeNone)
        return cudaErrorNotSupported;
    if (wanted.bytesize == 0 || pool.allocType != cudaMemAllocationTypePinned ||
        pool.location.type != cudaMemLocationTypeDevice || pool.location.id != 0 ||
        (wanted.accessDescCount && !wanted.accessDescs))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < wanted.accessDescCount; ++i) {
        const cudaMemAccessDesc& access = wanted.accessDescs[i];
        if (access.location.type != cudaMemLocationTypeDevice || access.location.id != 0)
            return cudaErrorInvalidDevice;
        if (access.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorNotSupported;
    }
    wanted.dptr = place_graph_memory(wanted.bytesize, *node.graph, node.after);
    if (!wanted.dptr) return cudaErrorMemoryAllocation;
    node.access.assign(wanted.accessDescs, wanted.accessDescs + wanted.accessDescCount);
    node.allocation = {pool, node.access.data(), node.access.size(), wanted.bytesize, wanted.dptr};
    return cudaSuccess;
}

cudaError_t set_free(graph_node& node, void* place) {
    const memory_allocation* found = host_allocation(place);
    if (node.graph->moved) return cudaErrorNotSupported;
    if (!found || !found->of_graph || found->begin != uintptr_t(place))
        return cudaErrorInvalidValue;
    int allocations = 0, frees = 0;  // of that place in this graph
    for (const auto& other : node.graph->nodes) {
        allocations += other->type == cudaGraphNodeTypeMemAlloc && other->allocation.dptr == place;
        frees += other->type == cudaGraphNodeTypeMemFree && other->freed == place;
    }
    if (frees >= (allocations ? allocations : 1)) return cudaErrorInvalidValue;
    node.freed = place;
    return cudaSuccess;
}

bool is_known(cudaGraphConditionalHandle handle) {
    bool known = false, used = false;
    graphs.for_each([&](const task_graph& graph) { known |= graph.conditions.count(handle) != 0; });
    graph_nodes.for_each([&](const graph_node& node) {
        used |= node.type == cudaGraphNodeTypeConditional && node.condition.handle == handle;
    });
    return known && !used;
}

cudaError_t set_condition(graph_node& node, cudaConditionalNodeParams& wanted) {
    const unsigned size = wanted.size;
    const bool right = wanted.type == cudaGraphCondTypeWhile    ? size == 1
                       : wanted.type == cudaGraphCondTypeIf     ? size == 1 || size == 2
                       : wanted.type == cudaGraphCondTypeSwitch ? size > 0
                                                                : false;
    if (!right || !is_known(wanted.handle)) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < size; ++i) {
        node.bodies.push_back(std::make_shared<task_graph>());
        node.bodies.back()->owned = true;
        node.body_handles.push_back(register_graph(node.bodies.back()));
    }
    wanted.phGraph_out = node.body_handles.data();
    node.condition = wanted;
    return cudaSuccess;
}

bool same_sides(const cudaMemcpy3DParms& a, const cudaMemcpy3DParms& b) {
    return a.kind == b.kind && side_of(a.dstPtr.ptr) == side_of(b.dstPtr.ptr) &&
           side_of(a.srcPtr.ptr) == side_of(b.srcPtr.ptr);
}
bool is_row(const cudaMemcpy3DParms& copy) {
    return copy.extent.height == 1 && copy.extent.depth == 1;
}

bool may_become(const graph_node& node, const cudaMemcpy3DParms& wanted) {
    return same_sides(node.copy, wanted) && is_row(node.copy) && is_row(wanted);
}
bool may_become(const graph_node& node, const cudaMemsetParams& wanted) {
    return node.fill.height == 1 && wanted.height == 1;
}

cudaMemsetParams plain(const cudaMemsetParamsV2& fill) {
    return {fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
}

}  // namespace

cudaError_t set_parameters(graph_node& node, cudaGraphNodeParams& wanted) {
    if (wanted.type != node.type) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    switch (wanted.type) {
        case cudaGraphNodeTypeKernel: return set_kernel(node, wanted.kernel);
        case cudaGraphNodeTypeMemcpy:
            error = check(wanted.memcpy.copyParams);
            if (error == cudaSuccess) node.copy = wanted.memcpy.copyParams;
            return error;
        case cudaGraphNodeTypeMemset:
            error = check(plain(wanted.memset));
            if (error == cudaSuccess) node.fill = plain(wanted.memset);
            return error;
        case cudaGraphNodeTypeHost:
            if (!wanted.host.fn) return cudaErrorInvalidValue;
            node.host = {wanted.host.fn, wanted.host.userData};
            return cudaSuccess;
        case cudaGraphNodeTypeGraph: return set_child(node, wanted.graph);
        case cudaGraphNodeTypeEmpty: return cudaSuccess;
        case cudaGraphNodeTypeWaitEvent: return set_event(node, wanted.eventWait.event);
        case cudaGraphNodeTypeEventRecord: return set_event(node, wanted.eventRecord.event);
        case cudaGraphNodeTypeMemAlloc: return set_allocation(node, wanted.alloc);
        case cudaGraphNodeTypeMemFree: return set_free(node, wanted.free.dptr);
        case cudaGraphNodeTypeConditional: return set_condition(node, wanted.conditional);
        default: return cudaErrorNotSupported;  // semaphores of others
    }
}

cudaError_t change_parameters(graph_node& node, cudaGraphNodeParams& wanted) {
    switch (wanted.type) {
        case cudaGraphNodeTypeMemcpy:
            if (wanted.type == node.type && !may_become(node, wanted.memcpy.copyParams))
                return cudaErrorInvalidValue;
            break;
        case cudaGraphNodeTypeMemset:
            if (wanted.type == node.type && !may_become(node, plain(wanted.memset)))
                return cudaErrorInvalidValue;
            break;
        case cudaGraphNodeTypeKernel:
        case cudaGraphNodeTypeHost:
        case cudaGraphNodeTypeWaitEvent:
        case cudaGraphNodeTypeEventRecord: break;
        default: return cudaErrorInvalidValue;
    }
    return set_parameters(node, wanted);
}

cudaGraphExecUpdateResult take_over(graph_node& node, const graph_node& wanted) {
    if (node.type == cudaGraphNodeTypeMemcpy && !same_sides(node.copy, wanted.copy))
        return cudaGraphExecUpdateErrorParametersChanged;
    if (node.type == cudaGraphNodeTypeMemcpy && !is_row(node.copy) &&
        memcmp(&node.copy.extent, &wanted.copy.extent, sizeof(cudaExtent)) != 0)
        return cudaGraphExecUpdateErrorParametersChanged;
    if (node.type == cudaGraphNodeTypeMemset && !may_become(node, wanted.fill) &&
        (node.fill.height != wanted.fill.height || node.fill.width != wanted.fill.width))
        return cudaGraphExecUpdateErrorParametersChanged;
    if (node.type == cudaGraphNodeTypeConditional &&
        (node.condition.type != wanted.condition.type ||
         node.bodies.size() != wanted.bodies.size()))
        return cudaGraphExecUpdateErrorParametersChanged;
    if ((node.type == cudaGraphNodeTypeMemAlloc || node.type == cudaGraphNodeTypeMemFree) &&
        (node.allocation.bytesize != wanted.allocation.bytesize))
        return cudaGraphExecUpdateErrorParametersChanged;
    node.launch = wanted.launch;
    node.attributes = wanted.attributes;
    bind_arguments(node);
    node.copy = wanted.copy;
    node.fill = wanted.fill;
    node.host = wanted.host;
    node.event = wanted.event;
    node.noted = wanted.noted;
    node.allocation = wanted.allocation;
    node.freed = wanted.freed;
    node.condition.handle = wanted.condition.handle;
    return cudaGraphExecUpdateSuccess;
}

cudaGraphNodeParams parameters_of(graph_node& node) {
    cudaGraphNodeParams found{};
    found.type = node.type;
    const kernel_launch& launch = node.launch;
    if (node.type == cudaGraphNodeTypeKernel)
        found.kernel = {const_cast<void*>(launch.kernel->stub), launch.grid,           launch.block,
                        unsigned(launch.dynamic_shared),        node.arguments.data(), nullptr};
    return found;
}

}  // namespace emulator
