#include "graph_memory.hpp"

#include <algorithm>

#include "entry.hpp"
#include "memory_sides.hpp"

namespace emulator {

namespace {

size_t used, used_high, reserved, reserved_high;
constexpr size_t granularity = size_t(32) << 20;

size_t rounded(size_t bytes) { return (bytes + granularity - 1) / granularity * granularity; }

}  // namespace

void* place_graph_memory(size_t bytes, const task_graph& graph,
                         const std::vector<graph_edge>& after) {
    // What nothing uses any more at that point of the graph, and nothing else has taken.
    for (const auto& freeing : graph.nodes) {
        if (freeing->type != cudaGraphNodeTypeMemFree || !comes_before(*freeing, after)) continue;
        const memory_allocation* old = host_allocation(freeing->freed);
        if (!old || old->bytes != bytes) continue;
        const bool taken = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                       [&](const std::shared_ptr<graph_node>& other) {
                                           return other->type == cudaGraphNodeTypeMemAlloc &&
                                                  other->allocation.dptr == freeing->freed &&
                                                  !comes_before(*other, freeing->after);
                                       });
        if (!taken) return freeing->freed;
    }
    void* place = allocate(bytes, device_memory);
    if (!place) return nullptr;
    find_allocation(place)->of_graph = true;
    set_present(place, bytes, false);
    return place;
}

void set_graph_memory(void* place, bool present) {
    memory_allocation* found = find_allocation(place);
    if (!found) return;
    if (found->absent == present) {
        used = present ? used + found->bytes : used - found->bytes;
        used_high = std::max(used_high, used);
        reserved = std::max(reserved, rounded(used));
        reserved_high = std::max(reserved_high, reserved);
    }
    set_present(place, found->bytes, present);
}

cudaError_t begin_graph_memory(const graph_instance& instance) {
    std::vector<graph_node*> allocations, frees;
    each_node(*instance.graph, [&](graph_node& node) {
        if (node.type == cudaGraphNodeTypeMemAlloc) allocations.push_back(&node);
        if (node.type == cudaGraphNodeTypeMemFree) frees.push_back(&node);
    });
    const bool frees_first = instance.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    for (const graph_node* node : allocations)
        if (find_allocation(node->allocation.dptr)->alive && !frees_first)
            return cudaErrorInvalidValue;
    for (const graph_node* node : allocations) find_allocation(node->allocation.dptr)->alive = true;
    for (const graph_node* node : frees)
        if (memory_allocation* freed = find_allocation(node->freed)) freed->alive = false;
    return cudaSuccess;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaDeviceGraphMemTrim(int device) {
    return enter([=] {
        if (device != 0) return cudaErrorInvalidDevice;
        reserved = rounded(used);
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
    return enter([=] {
        if (device != 0) return cudaErrorInvalidDevice;
        if (!value) return cudaErrorInvalidValue;
        uint64_t& found = *static_cast<uint64_t*>(value);
        switch (which) {
            case cudaGraphMemAttrUsedMemCurrent: found = used; return cudaSuccess;
            case cudaGraphMemAttrUsedMemHigh: found = used_high; return cudaSuccess;
            case cudaGraphMemAttrReservedMemCurrent: found = reserved; return cudaSuccess;
            case cudaGraphMemAttrReservedMemHigh: found = reserved_high; return cudaSuccess;
            default: return cudaErrorInvalidValue;
        }
    });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
    return enter([=] {
        if (device != 0) return cudaErrorInvalidDevice;
        if (!value || *static_cast<uint64_t*>(value) != 0) return cudaErrorInvalidValue;
        if (which == cudaGraphMemAttrUsedMemHigh)
            used_high = used;
        else if (which == cudaGraphMemAttrReservedMemHigh)
            reserved_high = reserved;
        else
            return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}

}  // extern "C"
