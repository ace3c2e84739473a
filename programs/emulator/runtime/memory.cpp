// Device memory: one range of addresses with a byte of state for each byte, so that every access
// can be judged.
#include "memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

#ifndef __wasm__
#include <sys/mman.h>
#endif

namespace emulator {

// The device's memory, and how much of it is freed memory that is not given out again yet. What no
// allocation has held costs nothing; where a browser refuses the first size, the second will do.
#ifdef __wasm__
constexpr size_t arena_sizes[] = {size_t(320) << 20, size_t(96) << 20};
constexpr size_t quarantine_bytes = size_t(12) << 20;
#else
constexpr size_t arena_sizes[] = {size_t(2) << 30};
constexpr size_t quarantine_bytes = size_t(256) << 20;
#endif
constexpr size_t alignment = hardware::allocation_alignment;

uintptr_t __emu_arena_begin, __emu_arena_end;
unsigned char* __emu_arena_shadow;
uintptr_t __emu_shared_low = UINTPTR_MAX, __emu_shared_high;

namespace {

std::map<uintptr_t, memory_allocation> allocations;  // living and quarantined, by begin
std::map<uintptr_t, size_t> holes;            // what can be given out
std::deque<uintptr_t> quarantine;
size_t arena_bytes, quarantined, used, heap_used;

unsigned char* reserve(size_t bytes) {
#ifdef __wasm__
    // New pages are zero, and none is touched before it is needed.
    constexpr size_t page = 65536;
    const size_t before = __builtin_wasm_memory_grow(0, (bytes + page - 1) / page);
    return before == SIZE_MAX ? nullptr : reinterpret_cast<unsigned char*>(before * page);
#else
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<unsigned char*>(p);
#endif
}

void open_arena() {
    if (__emu_arena_shadow) return;
    unsigned char* both = nullptr;  // the memory and its states
    for (const size_t size : arena_sizes) {
        if (both) break;
        arena_bytes = size;
        both = reserve(2 * size + alignment);
    }
    if (!both) {
        fprintf(stderr, "emulator: there is no room for a device's memory, %zu MiB\n",
                2 * (arena_bytes >> 20));
        exit(1);
    }
    __emu_arena_begin = rounded_up(uintptr_t(both), alignment);
    __emu_arena_shadow = reinterpret_cast<unsigned char*>(__emu_arena_begin) + arena_bytes;
    __emu_arena_end = __emu_arena_begin + arena_bytes;
    holes[__emu_arena_begin] = arena_bytes;
}

// A free stretch between two allocations catches an index that is a little too large.
size_t padded(size_t bytes) { return rounded_up(bytes, alignment) + alignment; }

uintptr_t take(size_t bytes) {
    for (auto hole = holes.begin(); hole != holes.end(); ++hole) {
        if (hole->second < bytes) continue;
        const uintptr_t begin = hole->first;
        const size_t rest = hole->second - bytes;
        holes.erase(hole);
        if (rest) holes[begin + bytes] = rest;
        return begin;
    }
    return 0;
}

void give(uintptr_t begin, size_t bytes) {
    auto next = holes.upper_bound(begin);
    if (next != holes.end() && begin + bytes == next->first) {
        bytes += next->second;
        next = holes.erase(next);
    }
    if (next != holes.begin()) {
        auto before = std::prev(next);
        if (before->first + before->second == begin) {
            before->second += bytes;
            return;
        }
    }
    holes[begin] = bytes;
}

void leave_quarantine() {
    const auto found = allocations.find(quarantine.front());
    quarantine.pop_front();
    const size_t bytes = padded(found->second.bytes);
    quarantined -= bytes;
    give(found->first, bytes);
    allocations.erase(found);
}

}  // namespace

size_t heap_limit = hardware::default_heap_bytes;

void* allocate(size_t bytes, memory_kind kind) {
    open_arena();
    if (bytes > arena_bytes ||
        (kind == heap_memory && bytes > heap_limit - std::min(heap_limit, heap_used)))
        return nullptr;
    uintptr_t begin;
    while ((begin = take(padded(bytes))) == 0 && !quarantine.empty()) leave_quarantine();
    if (begin == 0) return nullptr;
    allocations[begin] = memory_allocation{begin, bytes, kind, false};
    used += padded(bytes);
    if (kind == heap_memory) heap_used += bytes;
    const bool unwritten = kind == device_memory || kind == heap_memory;
    memset(shadow_of(reinterpret_cast<void*>(begin)),
           unwritten ? abi::shadow_uninitialized : abi::shadow_initialized, bytes);
    // What was there before must not come back: the values of a fresh allocation are undefined
    // business.
    memset(reinterpret_cast<void*>(begin), unwritten ? 0xcd : 0, bytes);
    return reinterpret_cast<void*>(begin);
}

bool release(void* pointer) {
    const auto found = allocations.find(uintptr_t(pointer));
    if (found == allocations.end() || found->second.freed || !in_arena(pointer)) return false;
    found->second.freed = true;
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
    const bool unwritten = allocation.kind == device_memory;
    memset(shadow_of(pointer), unwritten ? abi::shadow_uninitialized : abi::shadow_initialized,
           bytes);
    memset(pointer, unwritten ? 0xcd : 0, bytes);
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
    if (in_arena(begin)) memset(shadow_of(begin), abi::shadow_initialized, bytes);
}

void forget_values(void* begin, size_t bytes) {
    if (!in_arena(begin)) return;
    memset(shadow_of(begin), abi::shadow_uninitialized, bytes);
}

void copy_states(void* to, const void* from, size_t bytes) {
    if (!in_arena(to)) return;
    if (in_arena(from))
        memmove(shadow_of(to), shadow_of(from), bytes);
    else
        memset(shadow_of(to), abi::shadow_initialized, bytes);
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
    return arena_bytes;
}
size_t free_bytes() { return total_bytes() - used; }

void* take_shared(size_t bytes) {
    open_arena();
    uintptr_t begin;
    while ((begin = take(padded(bytes))) == 0 && !quarantine.empty()) leave_quarantine();
    if (begin == 0) return nullptr;
    memset(shadow_of(reinterpret_cast<void*>(begin)), abi::shadow_uninitialized, bytes);
    return reinterpret_cast<void*>(begin);
}

void guard_shared(void* begin, size_t bytes) {
    memset(shadow_of(begin), abi::shadow_not_allocated, bytes);
}

void give_shared(void* begin, size_t bytes) {
    guard_shared(begin, bytes);
    give(uintptr_t(begin), padded(bytes));
}

}  // namespace emulator
