// Device memory: one range of addresses, the state of each byte, and the device side's variables.
#pragma once

#include <atomic>
#include <map>

#include "arena.hpp"

namespace emulator {

enum memory_kind { device_memory, managed_memory, pinned_memory, registered_memory, heap_memory };

// What a program said about a part of managed memory.
struct memory_hints {
    bool read_mostly = false, used_by_device = false, used_by_host = false;
    cudaMemLocation preferred{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
    cudaMemLocation prefetched{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
};

struct memory_allocation {
    uintptr_t begin;
    size_t bytes;
    memory_kind kind;
    bool freed;
    bool leaving = false;  // a stream has been asked to free it
    bool of_graph = false;  // which makes it each time it runs
    bool absent = false;  // not there at this point of a stream's or a graph's work
    bool pooled = false;
    bool alive = false;   // of a graph that was launched: nothing was asked to free it since
    std::map<uintptr_t, memory_hints> hints = {};  // of managed memory, by where they begin
};

void* allocate(size_t bytes, memory_kind kind);              // null if there is not enough
bool release(void* begin);  // false if it is the begin of no living allocation
extern size_t heap_limit;  // bytes that malloc() in kernels may have given out at a time
// Of an allocation whose memory is there at some points of a stream's or graph's work only.
void set_present(void* begin, size_t bytes, bool present);
void mark_absent(void* begin, size_t bytes);
extern std::atomic<unsigned> releases;  // of allocations, so far
memory_allocation* find_allocation(const void* p, bool freed_too = false);
bool register_host(void* begin, size_t bytes);  // false if it overlaps one
void add_managed(void* begin, size_t bytes);  // a __managed__ variable
bool unregister_host(void* begin);
void mark_initialized(void* begin, size_t bytes);
void forget_values(void* begin, size_t bytes);  // as if nothing had written them
void copy_states(void* to, const void* from,
                 size_t bytes);  // what is initialized, with a copy of the bytes
void release_all();
// What a pool or the graphs of a stream take from the device to hold so much.
inline uint64_t reserved_for(uint64_t bytes) { return rounded_up(bytes, hardware::reserved_unit); }
size_t free_bytes();
bool take_bytes(size_t bytes);  // of the device's, at no address; false if there are not enough
void give_bytes(size_t bytes);
uintptr_t take_addresses(
    size_t bytes);  // in the arena; freed memory makes room; 0 if there is none
size_t total_bytes();
void* take_shared(size_t bytes);  // memory for a block's shared variables, outside of allocations
void guard_shared(void* begin, size_t bytes);  // a part of it that belongs to no variable
void give_shared(void* begin, size_t bytes);

}  // namespace emulator
