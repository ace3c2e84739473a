#include "arena.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>

#ifndef __wasm__
#include <sys/mman.h>
#endif

namespace emulator {

// The device's memory. What no allocation has held costs nothing; where a browser refuses the first
// size, the second will do.
#ifdef __wasm__
constexpr size_t arena_sizes[] = {size_t(320) << 20, size_t(96) << 20};
#else
constexpr size_t arena_sizes[] = {size_t(2) << 30};
#endif

uintptr_t ranges_begin;
unsigned char* ranges_to_read;
uintptr_t __emu_arena_begin, __emu_arena_end;
unsigned char* __emu_arena_shadow;
uintptr_t __emu_shared_low = UINTPTR_MAX, __emu_shared_high;

namespace {

std::map<uintptr_t, size_t> holes;  // what can be given out
size_t arena_bytes;

#ifdef __wasm__
unsigned char* reserve(size_t bytes) {
    // New pages are zero, and none is touched before it is needed.
    constexpr size_t page = 65536;
    const size_t before = __builtin_wasm_memory_grow(0, (bytes + page - 1) / page);
    return before == SIZE_MAX ? nullptr : reinterpret_cast<unsigned char*>(before * page);
}

void lay_out(size_t bytes) {
    constexpr size_t alignment = hardware::allocation_alignment;
    unsigned char* both = reserve(2 * bytes + alignment);  // the memory and its states
    if (!both) return;
    __emu_arena_begin = rounded_up(uintptr_t(both), alignment);
    __emu_arena_shadow = reinterpret_cast<unsigned char*>(__emu_arena_begin) + bytes;
}
#else
constexpr size_t most_reserved = size_t(1) << 40;  // bytes of addresses, which cost nothing

bool open(uintptr_t begin, size_t bytes) {
    return mprotect(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE) == 0;
}

// The memory with the addresses to reserve, the states of both, and those of the latter again.
void lay_out(size_t bytes) {
    for (const size_t ranges : {most_reserved, size_t(0)}) {
        const size_t span = bytes + ranges, unit = hardware::mapping_granularity;
        void* all = mmap(nullptr, 2 * span + ranges + unit, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) continue;
        const uintptr_t begin = rounded_up(uintptr_t(all), unit);
        if (!open(begin, bytes) || !open(begin + span, bytes)) return;
        __emu_arena_begin = begin;
        __emu_arena_shadow = reinterpret_cast<unsigned char*>(begin + span);
        ranges_begin = begin + bytes;
        ranges_to_read = ranges ? __emu_arena_shadow + span : nullptr;
        return;
    }
}
#endif

}  // namespace

void open_arena() {
    if (__emu_arena_shadow) return;
    for (const size_t bytes : arena_sizes) {
        if (__emu_arena_shadow) break;
        arena_bytes = bytes;
        lay_out(bytes);
    }
    if (!__emu_arena_shadow) {
        fprintf(stderr, "emulator: there is no room for a device's memory, %zu MiB\n",
                2 * (arena_bytes >> 20));
        exit(1);
    }
    __emu_arena_end = __emu_arena_begin + arena_bytes;
    holes[__emu_arena_begin] = arena_bytes;
}

size_t arena_size() { return arena_bytes; }

uintptr_t take_hole(size_t bytes) {
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

void give_hole(uintptr_t begin, size_t bytes) {
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

#ifndef __wasm__
uintptr_t ranges_end() { return ranges_to_read ? ranges_begin + most_reserved : ranges_begin; }

bool reach_to(uintptr_t end) {
    const uintptr_t last = __emu_arena_end;
    if (end <= last) return true;
    const auto states = uintptr_t(shadow_of(reinterpret_cast<void*>(last)));
    const auto to_read = uintptr_t(ranges_to_read) + (last - ranges_begin);
    if (!open(states, end - last) || !open(to_read, end - last)) return false;
    __emu_arena_end = end;
    return true;
}
#endif

}  // namespace emulator
