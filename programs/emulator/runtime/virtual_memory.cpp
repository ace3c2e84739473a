#include "virtual_memory.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "memory.hpp"

namespace emulator {

namespace {

constexpr size_t unit = hardware::mapping_granularity;

std::map<uintptr_t, reserved_range> ranges;  // by begin
std::vector<std::pair<uintptr_t, size_t>> given_back;
std::map<CUmemGenericAllocationHandle, std::shared_ptr<physical_memory>> handles;

// By the begin of a range, what the arena gave for it. Natively a gap follows each, and addresses
// are not given out again while there are others.
std::map<uintptr_t, std::pair<uintptr_t, size_t>> taken;

#ifdef __wasm__
uintptr_t take_range(size_t bytes, size_t alignment, uintptr_t) {
    if (bytes > total_bytes() || alignment > total_bytes()) return 0;
    const size_t most = bytes + alignment + unit;
    const uintptr_t found = take_addresses(most);
    if (!found) return 0;
    taken[rounded_up(found, alignment)] = {found, most};
    return rounded_up(found, alignment);
}
void give_range(uintptr_t begin) {
    give_hole(taken.at(begin).first, taken.at(begin).second);
    taken.erase(begin);
}
#else
bool is_free(uintptr_t begin, size_t bytes) {
    if (begin < ranges_begin || begin > ranges_end() || bytes > ranges_end() - begin) return false;
    const auto after = taken.lower_bound(begin + bytes);
    return after == taken.begin() ||
           std::prev(after)->first + std::prev(after)->second.second <= begin;
}
uintptr_t take_range(size_t bytes, size_t alignment, uintptr_t wanted) {
    open_arena();
    const auto after = [=](uintptr_t end) { return rounded_up(end + unit, alignment); };
    std::vector<uintptr_t> places = {wanted, after(__emu_arena_end), after(ranges_begin)};
    for (const auto& [begin, what] : taken) places.push_back(after(begin + what.second));
    for (const uintptr_t begin : places) {
        if (!begin || begin % alignment || !is_free(begin, bytes)) continue;
        if (!reach_to(begin + bytes)) return 0;
        taken[begin] = {begin, bytes};
        return begin;
    }
    return 0;
}
void give_range(uintptr_t begin) { taken.erase(begin); }
#endif

}  // namespace

uintptr_t reserve_range(size_t bytes, size_t alignment, uintptr_t wanted) {
    const uintptr_t begin = take_range(bytes, std::max(alignment, unit), wanted);
    if (begin) ranges[begin] = {begin, bytes};
    return begin;
}

bool free_range(uintptr_t begin, size_t bytes) {
    const auto found = ranges.find(begin);
    if (found == ranges.end() || found->second.bytes != bytes || !found->second.mappings.empty())
        return false;
    ranges.erase(found);
    given_back.emplace_back(begin, bytes);
    give_range(begin);
    return true;
}

reserved_range* find_range(const void* p) {
    const auto next = ranges.upper_bound(uintptr_t(p));
    if (next == ranges.begin()) return nullptr;
    reserved_range& range = std::prev(next)->second;
    return uintptr_t(p) - range.begin < range.bytes ? &range : nullptr;
}

std::shared_ptr<physical_memory> create_memory(size_t bytes,
                                               const CUmemAllocationProp& properties) {
    auto made = std::make_shared<physical_memory>();
    made->properties = properties;
    if (bytes > total_bytes() || (made->of_device() && !take_bytes(bytes))) return nullptr;
    made->bytes = bytes;  // from here on, its end gives them back
    if (!made->open()) return nullptr;
    made->handle = new_handle_value();
    retain(made);
    return made;
}

std::shared_ptr<physical_memory> memory_of(CUmemGenericAllocationHandle handle) {
    const auto found = handles.find(handle);
    return found == handles.end() ? nullptr : found->second;
}

void retain(const std::shared_ptr<physical_memory>& memory) {
    ++memory->handles;
    handles[memory->handle] = memory;
}

void release(physical_memory& memory) {
    if (--memory.handles == 0) handles.erase(memory.handle);
}

bool map_memory(reserved_range& range, uintptr_t begin,
                const std::shared_ptr<physical_memory>& memory) {
    if (!attach(*memory, begin)) return false;
    range.mappings[begin] = {begin, memory};
    ++memory->mappings;
    return true;
}

bool set_rights(memory_mapping& mapping, unsigned rights) {
    if (mapping.rights == rights) return true;
    if (mapping.rights != CU_MEM_ACCESS_FLAGS_PROT_NONE)
        hide_states(*mapping.memory, mapping.begin, true);
    mapping.rights = rights;
    return rights == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
           show_states(*mapping.memory, mapping.begin, rights);
}

void unmap(reserved_range& range, uintptr_t begin) {
    const auto found = range.mappings.find(begin);
    const std::shared_ptr<physical_memory> memory = found->second.memory;
    const bool keep = memory->handles != 0;
    if (found->second.rights != CU_MEM_ACCESS_FLAGS_PROT_NONE) hide_states(*memory, begin, keep);
    detach(*memory, begin, keep);
    --memory->mappings;
    range.unmapped[begin] = memory->bytes;
    range.mappings.erase(found);
}

memory_mapping* find_mapping(const void* p) {
    reserved_range* range = find_range(p);
    if (!range) return nullptr;
    const auto next = range->mappings.upper_bound(uintptr_t(p));
    if (next == range->mappings.begin()) return nullptr;
    memory_mapping& mapping = std::prev(next)->second;
    return uintptr_t(p) < mapping.end() ? &mapping : nullptr;
}

bool allowed(const void* p, size_t bytes, bool write) {
    const unsigned wanted =
        write ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ;
    uintptr_t at = uintptr_t(p);
    for (;;) {
        const memory_mapping* mapping = find_mapping(reinterpret_cast<const void*>(at));
        if (!mapping || (mapping->rights & wanted) != wanted) return false;
        const size_t here = mapping->end() - at;
        if (bytes <= here) return true;
        bytes -= here;
        at += here;
    }
}

std::string reason_of_fault(const void* p, bool write) {
    const reserved_range* range = find_range(p);
    if (!range) return "";
    if (const memory_mapping* mapping = find_mapping(p)) {
        if (allowed(p, 1, write)) return "";
        return mapping->rights == CU_MEM_ACCESS_FLAGS_PROT_NONE
                   ? "of mapped memory to which cuMemSetAccess has given the device no access"
                   : "of memory that is mapped for reading only";
    }
    for (const auto& [begin, bytes] : range->unmapped)
        if (uintptr_t(p) - begin < bytes) return "of memory that was unmapped";
    return "of reserved addresses to which no memory is mapped";
}

bool was_reserved(const void* p) {
    return std::any_of(given_back.begin(), given_back.end(),
                       [=](const auto& one) { return uintptr_t(p) - one.first < one.second; });
}

}  // namespace emulator
