// Device memory: what is allocated in the arena, and the state of each of its bytes, so that every
// access can be judged.
#include "memory.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

#include "random.hpp"

namespace emulator {

// How much of the memory is freed and not given out again yet.
#ifdef __wasm__
constexpr size_t quarantine_bytes = size_t(12) << 20;
#else
constexpr size_t quarantine_bytes = size_t(256) << 20;
#endif
constexpr size_t alignment = hardware::allocation_alignment;

namespace {

std::map<uintptr_t, memory_allocation> allocations;  // living and quarantined, by begin
std::deque<uintptr_t> quarantine;
size_t quarantined, used, heap_used;
size_t without_addresses;  // of what is used

// Races are looked for in all words of a small allocation, and in two of each stretch of a larger
// one: its first, where blocks of threads often meet, and one that the seed chooses.
constexpr size_t small_bytes = 1024, stretch_bytes = 512;

void set_fresh(uintptr_t begin, size_t bytes, memory_kind kind) {
    const bool unwritten = kind == device_memory || kind == heap_memory;
    unsigned char* states = shadow_of(reinterpret_cast<void*>(begin));
    memset(states, unwritten ? abi::shadow_uninitialized : abi::shadow_initialized, bytes);
    // What was there before must not come back: the values of a fresh allocation are undefined
    // business.
    memset(reinterpret_cast<void*>(begin), unwritten ? 0xcd : 0, bytes);
    if (kind == heap_memory) return;  // a thread's own, most of the time
    const auto watch = [&](size_t from, size_t to) {
        for (size_t at = from; at < std::min(to, bytes); ++at) states[at] |= abi::shadow_watched;
    };
    if (bytes <= small_bytes) return watch(0, bytes);
    const size_t chosen = (1 + seed * 37 % (stretch_bytes / 4 - 1)) * 4;
    for (size_t at = 0; at < bytes; at += stretch_bytes) {
        watch(at, at + 4);
        watch(at + chosen, at + chosen + 4);
    }
}

// A free stretch between two allocations catches an index that is a little too large.
size_t padded(size_t bytes) { return rounded_up(bytes, alignment) + alignment; }

void leave_quarantine() {
    const auto found = allocations.find(quarantine.front());
    quarantine.pop_front();
    const size_t bytes = padded(found->second.bytes);
    quarantined -= bytes;
    give_hole(found->first, bytes);
    allocations.erase(found);
}

}  // namespace

uintptr_t take_addresses(size_t bytes) {
    open_arena();
    uintptr_t begin;
    while ((begin = take_hole(bytes)) == 0 && !quarantine.empty()) leave_quarantine();
    return begin;
}

std::atomic<unsigned> releases;
size_t heap_limit = hardware::default_heap_bytes;

void* allocate(size_t bytes, memory_kind kind) {
    open_arena();
    if (bytes > arena_size() ||
        (kind == heap_memory && bytes > heap_limit - std::min(heap_limit, heap_used)))
        return nullptr;
    if (without_addresses && padded(bytes) > free_bytes()) return nullptr;
    const uintptr_t begin = take_addresses(padded(bytes));
    if (begin == 0) return nullptr;
    allocations[begin] = memory_allocation{begin, bytes, kind, false};
    used += padded(bytes);
    if (kind == heap_memory) heap_used += bytes;
    set_fresh(begin, bytes, kind);
    return reinterpret_cast<void*>(begin);
}

bool release(void* pointer) {
    const auto found = allocations.find(uintptr_t(pointer));
    if (found == allocations.end() || found->second.freed || !in_arena(pointer)) return false;
    found->second.freed = true;
    ++releases;
    memset(shadow_of(pointer), abi::shadow_not_allocated, found->second.bytes);
    quarantine.push_back(found->first);
    const size_t bytes = padded(found->second.bytes);
    quarantined += bytes;
    used -= bytes;
    if (found->second.kind == heap_memory) heap_used -= found->second.bytes;
    while (quarantined > quarantine_bytes && quarantine.size() > 1) leave_quarantine();
    return true;
}

void mark_absent(void* pointer, size_t bytes) {
    memset(shadow_of(pointer), abi::shadow_not_allocated, bytes);
}

void set_present(void* pointer, size_t bytes, bool present) {
    const auto found = allocations.find(uintptr_t(pointer));
    if (found == allocations.end()) return;
    memory_allocation& allocation = found->second;
    allocation.absent = !present;
    if (!present) return mark_absent(pointer, bytes);
    set_fresh(uintptr_t(pointer), bytes, allocation.kind);
}

memory_allocation* find_allocation(const void* p, bool freed_too) {
    auto found = allocations.upper_bound(uintptr_t(p));
    if (found == allocations.begin()) return nullptr;
    memory_allocation& candidate = std::prev(found)->second;
    if (candidate.freed && !freed_too) return nullptr;
    return uintptr_t(p) - candidate.begin < (candidate.bytes ? candidate.bytes : 1) ? &candidate
                                                                                    : nullptr;
}

bool register_host(void* begin, size_t bytes) {
    for (auto& [start, allocation] : allocations)
        if (!allocation.freed && start < uintptr_t(begin) + bytes &&
            uintptr_t(begin) < start + allocation.bytes)
            return false;
    allocations[uintptr_t(begin)] =
        memory_allocation{uintptr_t(begin), bytes, registered_memory, false};
    return true;
}

void add_managed(void* begin, size_t bytes) {
    allocations[uintptr_t(begin)] =
        memory_allocation{uintptr_t(begin), bytes, managed_memory, false};
}

bool unregister_host(void* begin) {
    const auto found = allocations.find(uintptr_t(begin));
    if (found == allocations.end() || found->second.kind != registered_memory) return false;
    allocations.erase(found);
    return true;
}

void mark_initialized(void* begin, size_t bytes) {
    if (in_arena(begin)) set_states(shadow_of(begin), bytes, abi::shadow_initialized);
}

void forget_values(void* begin, size_t bytes) {
    if (!in_arena(begin)) return;
    set_states(shadow_of(begin), bytes, abi::shadow_uninitialized);
}

void copy_states(void* to, const void* from, size_t bytes) {
    if (!in_arena(to)) return;
    if (!in_arena(from)) return set_states(shadow_of(to), bytes, abi::shadow_initialized);
    unsigned char* const states = shadow_of(to);
    const unsigned char* const others = states_to_read(from);
    for (size_t i = 0; i < bytes; ++i) {
        const size_t at = states <= others ? i : bytes - 1 - i;  // the ranges may overlap
        set_states(states + at, 1, state_of(others[at]));
    }
}

void release_all() {
    std::vector<void*> living;
    for (auto& [begin, allocation] : allocations)
        if (!allocation.freed && in_arena(reinterpret_cast<void*>(begin)))
            living.push_back(reinterpret_cast<void*>(begin));
    for (void* p : living) release(p);
}

size_t total_bytes() {
    open_arena();
    return arena_size();
}
size_t free_bytes() { return total_bytes() - used; }
bool take_bytes(size_t bytes) {
    if (bytes > free_bytes()) return false;
    used += bytes;
    without_addresses += bytes;
    return true;
}
void give_bytes(size_t bytes) {
    used -= bytes;
    without_addresses -= bytes;
}

// Swizzled tiles repeat every 1024 bytes, so that a block's memory begins at a multiple of them.
static constexpr size_t shared_alignment = 1024;
static std::map<uintptr_t, uintptr_t> taken_for_shared;  // by where the block's memory begins

void* take_shared(size_t bytes) {
    const uintptr_t taken = take_addresses(padded(bytes) + shared_alignment);
    if (taken == 0) return nullptr;
    const uintptr_t begin = rounded_up(taken, shared_alignment);
    taken_for_shared[begin] = taken;
    memset(shadow_of(reinterpret_cast<void*>(begin)), abi::shadow_uninitialized, bytes);
    return reinterpret_cast<void*>(begin);
}

void guard_shared(void* begin, size_t bytes) {
    memset(shadow_of(begin), abi::shadow_not_allocated, bytes);
}

void give_shared(void* begin, size_t bytes) {
    guard_shared(begin, bytes);
    const auto taken = taken_for_shared.find(uintptr_t(begin));
    give_hole(taken->second, padded(bytes) + shared_alignment);
    taken_for_shared.erase(taken);
}

}  // namespace emulator
