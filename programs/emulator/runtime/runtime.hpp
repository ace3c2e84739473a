// What the parts of the emulator's runtime share. One thread of the host works in here at a time (see api.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tables.hpp"
#include "toolkit/cuda_runtime_api.h"

namespace emulator {

Kernel* find_kernel(const void* stub);
size_t static_shared_bytes(const Kernel& kernel);  // on a GPU
// Here a guard zone lies behind each shared variable, so that one index too many meets no other. Dynamic shared memory
// is variable -1, behind all.
constexpr int shared_guard = 64;
size_t shared_offset(const Kernel& kernel, int variable);

// -- memory (memory.cpp)
// -------------------------------------------------------------------------------------------------

enum Kind { device_memory, managed_memory, pinned_memory, registered_memory, heap_memory };
enum Shadow : unsigned char { not_allocated, uninitialised, initialised };

struct Allocation {
    uintptr_t begin;
    size_t bytes;
    Kind kind;
    bool freed;
    bool leaving = false;  // a stream has been asked to free it
    bool of_graph = false;  // which makes it each time it runs
    bool read_mostly = false;
    int preferred = -2, prefetched = -2;  // devices, as cudaMemRangeGetAttribute gives them
};

extern "C" {  // what the quick checks in ir.py look at
extern uintptr_t __emu_arena_begin, __emu_arena_end;
extern unsigned char* __emu_arena_shadow;
extern uintptr_t __emu_shared_low, __emu_shared_high;  // the shared memory of all living blocks lies between them
}
inline bool in_arena(const void* p) { return uintptr_t(p) - __emu_arena_begin < __emu_arena_end - __emu_arena_begin; }
inline unsigned char* shadow_of(const void* p) { return __emu_arena_shadow + (uintptr_t(p) - __emu_arena_begin); }

void* allocate(size_t bytes, Kind kind);              // null if there is not enough
bool release(void* begin);                            // false if it is the begin of no living allocation
constexpr size_t default_heap_limit = size_t(8) << 20;
extern size_t heap_limit;  // bytes that malloc() in kernels may have given out at a time
void set_present(void* begin, bool present);  // of an allocation of a graph
Allocation* find_allocation(const void* p, bool freed_too = false);
bool register_host(void* begin, size_t bytes);  // false if it overlaps one
void add_managed(void* begin, size_t bytes);  // a __managed__ variable
bool unregister_host(void* begin);
void mark_initialised(void* begin, size_t bytes);
void copy_states(void* to, const void* from, size_t bytes);  // what is initialised, with a copy of the bytes
void release_all();
size_t free_bytes();
size_t total_bytes();
const Variable* find_variable(const void* p, size_t margin = 0);  // of the host's names; also so many bytes beside one
bool in_image(const void* p, size_t bytes);  // a variable of the device's side
void* take_shared(size_t bytes);  // memory for a block's shared variables, outside of allocations
void guard_shared(void* begin, size_t bytes);  // a part of it that belongs to no variable
void give_shared(void* begin, size_t bytes);

// -- fibres (fibre_native.cpp, fibre_web.cpp)
// ----------------------------------------------------------------------------

enum Outcome { yielded = 0, ended = 1, abandoned = 2 };
void reserve_fibres(int count);
Outcome enter_fibre(int slot, bool fresh);  // runs fibre_main(slot) until it yields, ends or is abandoned
void yield_fibre();
void guarded(void (*act)());  // runs act, which enters fibres; where one is abandoned, act may end there
[[noreturn]] void abandon_fibre();  // never comes back to the fibre
bool in_fibre_stack(const void* p);
bool in_own_stack(const void* p);  // of the fibre that runs
int overflowed_bytes(int slot);  // the size of the fibre's stack if it needed more, else 0
void fibre_main(int slot);  // in blocks.cpp
[[noreturn]] void stack_is_full(int bytes);  // in blocks.cpp: the fibre that runs needs more than these

// -- launches (blocks.cpp)
// -----------------------------------------------------------------------------------------------

struct Launch {
    const Kernel* kernel;
    dim3 grid, block, cluster;  // a cluster of (1, 1, 1) is none
    size_t dynamic_shared;
    bool cooperative;
    std::vector<std::vector<unsigned char>> values;  // the arguments
};

enum class Progress { running, waiting, done };  // waiting: only threads that look at memory again and again are left

class Execution;
Execution* begin_execution(Launch launch);
Progress advance(Execution& execution);
cudaError_t finish_execution(Execution* execution);  // also one that has not come to its end

enum State : unsigned char {
    fresh,
    ready,
    spinning,
    at_barrier,
    at_group_barrier,
    in_warp_operation,
    asking_active,
    at_line,
    over
};

struct WarpRequest {
    enum Kind { barrier, gather, shuffle } kind;
    unsigned mask;
    const void* value;
    int size;
    int source;
    void* result;
    unsigned* lanes = nullptr;  // that brought values
};

struct Thread {
    uint3 index;
    State state;
    int barrier_kind, barrier_value;
    int scope;
    WarpRequest request;
    unsigned active;
    const char* file;
    int line;
    unsigned spins;
    int last_line = 0;  // that the stepper told of
    bool fenced = false;  // since the last barrier
};

struct SharedWord {  // what was last done to a word of shared memory
    uint32_t write_epoch = 0, write_warp_epoch = 0, read_epoch = 0, read_warp_epoch = 0, other_warp_epoch = 0;
    uint16_t writer = 0, reader = 0, other_reader = 0;
    bool atomic = false, several = false;
    int write_place = 0, read_place = 0, other_place = 0;
};

struct Block {
    uint3 index;
    unsigned number;
    int first_slot;
    unsigned char* shared;
    size_t shared_bytes;
    std::vector<Thread> threads;
    std::vector<uint16_t> order;
    std::vector<SharedWord> words, bytes;
    std::vector<uint32_t> warp_epochs;
    std::vector<uint32_t> warp_gone;  // a bit for each lane that has ended or does not exist
    uint32_t epoch = 1;
    int alive;
    bool races_checked, races_across_warps_checked;
};

extern const Launch* current_launch;
extern Block* current_block;
extern int current_thread;
inline Thread& self() { return current_block->threads[current_thread]; }
Block* block_of_shared(const void* p);  // the living block whose shared memory holds p
extern bool memory_changed;  // by an atomic operation: who looks for a change may find one
void spin();  // lets others go on; called where a thread looks at memory that may change

// Stops the kernel with a message. `place` is "file:line" or empty.
[[noreturn]] void fault(cudaError_t error, const std::string& place, const std::string& text);
constexpr int line_bits = 0xfffff;  // of a place: the column lies above them
std::string place_text(const char* file, int line);
std::string thread_text(const Block& block, int thread);

uint64_t device_ticks();  // of the device's clock, which runs on where somebody looks or all wait
void let_ticks_pass(uint64_t ticks);

// A write of the thread that runs, to where another thread wrote at the same time: a mistake only if the values differ,
// which shows when the thread goes on.
struct PendingWrite {
    const void* to;
    unsigned char before[16];
    int size, place;
    unsigned bytes;  // a bit for each of its bytes that is meant
    int other, other_place;
};
extern "C" PendingWrite __emu_pending_write;
void settle_write();
inline void settle() {
    if (__emu_pending_write.to) settle_write();
}
void note_atomic(void* place, int size, bool ordered, const char* file, int line);
void check_bounds(const void* p, size_t size, bool write, const std::function<std::string()>& place);
void check_access(const void* p, int size, bool write, const std::function<std::string()>& place);

// -- random order
// --------------------------------------------------------------------------------------------------------

extern uint64_t seed;  // 0: threads, blocks and streams in their order
uint32_t random_below(uint32_t bound);

// -- the stepper (trace.cpp)
// ---------------------------------------------------------------------------------------------

void trace_launch(const Launch& launch);
bool traced(const struct Block& block);
void trace_step(const struct Block& block, int line);
void trace_event(const struct Block& block, int line, const std::string& text);
void flush_trace();

}  // namespace emulator
