#include "memory_sides.hpp"

#include "variables.hpp"
#include "virtual_memory.hpp"

namespace emulator {

// The kernels' heap is none of the host's business.
memory_allocation* host_allocation(const void* p) {
    memory_allocation* found = find_allocation(p);
    return found && found->kind != heap_memory ? found : nullptr;
}

memory_side side_of(const void* p) {
    if (const memory_allocation* allocation = host_allocation(p)) {
        switch (allocation->kind) {
            case device_memory: return memory_side::device;
            case managed_memory: return memory_side::managed;
            default: return memory_side::pinned;
        }
    }
    if (find_variable(p)) return memory_side::device;
    if (const memory_mapping* mapping = find_mapping(p))
        return mapping->memory->of_device() ? memory_side::device : memory_side::pinned;
    return in_arena(p) ? memory_side::bad : memory_side::pageable;
}

bool fits(const void* p, size_t bytes) {
    if (const memory_allocation* allocation = host_allocation(p))
        return bytes <= allocation->bytes - (uintptr_t(p) - allocation->begin);
    if (const variable_entry* variable = find_variable(p))
        return bytes <= variable->bytes() - (uintptr_t(p) - uintptr_t(variable->place));
    return !find_range(p) || allowed(p, bytes, false);
}

bool writable(const void* p, size_t bytes) { return !find_range(p) || allowed(p, bytes, true); }

}  // namespace emulator
