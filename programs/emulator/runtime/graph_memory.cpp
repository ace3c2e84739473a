#include "graph_memory.hpp"

#include <algorithm>
#include <map>

#include "entry.hpp"
#include "memory_sides.hpp"

namespace emulator {

namespace {

uint64_t used, used_high, reserved_high;
std::map<unsigned, uint64_t> reserved_in;  // by the streams that graphs were launched into

uint64_t reserved() {
    uint64_t sum = 0;
    for (const auto& [stream, bytes] : reserved_in) sum += bytes;
    return sum;
}

// Graphs that run one after another share their memory.
void reserve(const std::vector<graph_node*>& allocations, unsigned stream) {
    std::map<void*, uint64_t> places;
    for (const graph_node* node : allocations)
        places[node->allocation.dptr] = reserved_for(node->allocation.bytesize);
    uint64_t sum = 0;
    for (const auto& [place, bytes] : places) sum += bytes;
    reserved_in[stream] = std::max(reserved_in[stream], sum);
    reserved_high = std::max(reserved_high, reserved());
}

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
    }
    set_present(place, found->bytes, present);
}

cudaError_t begin_graph_memory(const graph_instance& instance, unsigned stream) {
    std::vector<graph_node*> allocations, frees;
    each_node(*instance.graph, [&](graph_node& node) {
        if (node.type == cudaGraphNodeTypeMemAlloc) allocations.push_back(&node);
        if (node.type == cudaGraphNodeTypeMemFree) frees.push_back(&node);
    });
    const bool frees_first = instance.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    for (const graph_node* node : allocations)
        if (find_allocation(node->allocation.dptr)->alive && !frees_first)
            return cudaErrorInvalidValue;
    if (!allocations.empty()) reserve(allocations, stream);
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
        reserved_in.clear();
        if (used) reserved_in[0] = reserved_for(used);
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
            case cudaGraphMemAttrReservedMemCurrent: found = reserved(); return cudaSuccess;
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
            reserved_high = reserved();
        else
            return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}

}  // extern "C"
