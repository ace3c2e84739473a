// Memory pools: what streams allocate and free in the order of their work.
#pragma once

#include <map>
#include <memory>

#include "handles.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace emulator {

struct pool_piece {  // of a pool's memory; what was freed waits for its next use
    size_t bytes;    // that it may hold
    size_t used;     // that it was asked for, or 0
    unsigned stream = 0;  // in which it was freed, at
    uint64_t number = 0;  // this work of it,
    work_item freed = nullptr;
};

struct memory_pool : std::enable_shared_from_this<memory_pool> {
    memory_kind kind = device_memory;
    cudaMemPoolProps properties = {};
    cudaMemPool_t handle = nullptr;
    uint64_t threshold = 0;
    bool destroyed = false;
    cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;  // of the other side
    int follows_events = 1, opportunistic = 1, internal = 1;
    uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
    std::map<uintptr_t, pool_piece> pieces = {};
};

extern handle_registry<memory_pool, cudaMemPool_t> pools;
cudaMemPool_t new_pool(memory_kind kind, const cudaMemPoolProps& properties);
cudaMemPool_t default_pool(bool of_host = false);
cudaMemPool_t& current_pool(bool of_host = false);

// Where memory will be when the stream has come so far; null if there is not enough.
void* allocate_from(memory_pool& pool, size_t bytes, device_stream& stream);
// False if no pool has it.
bool free_in_stream(void* place, device_stream& stream);
bool free_to_pool(void* place);  // at once: nothing uses it any more
cudaMemPool_t handle_of_pool(void* place);  // null if no pool has it
void trim(memory_pool& pool, uint64_t keep);
void give_up(memory_pool& pool);  // it was destroyed: what is free, or will be, goes back
// After a call in which the host has waited: pools give back what they need not keep.
void trim_pools();

}  // namespace emulator
