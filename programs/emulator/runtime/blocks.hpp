// Blocks and their threads, and which of them runs.
#pragma once

#include <memory>
#include <vector>

#include "launch.hpp"

extern "C" {  // the built-in variables of the thread that runs
extern uint3 __emu_thread, __emu_block;
extern dim3 __emu_block_size, __emu_grid_size;
}

namespace emulator {

enum thread_state : unsigned char {
    fresh,
    ready,
    spinning,
    at_barrier,
    at_group_barrier,
    in_warp_operation,
    in_tile_operation,
    at_arrivals,
    at_async_barrier,
    asking_active,
    at_line,
    over
};

struct warp_request {
    enum operation { barrier, gather, shuffle } kind;
    unsigned mask;
    const void* value;
    int size;
    int source;
    void* result;
    unsigned* lanes = nullptr;  // that brought values
    int tile = 0;               // its threads, where it is one of several warps
};

struct device_thread {
    uint3 index;
    thread_state state;
    int barrier_kind, barrier_value;
    int scope;
    warp_request request;
    unsigned active;
    const char* file;
    int line;
    int site;  // of the call at which it waits; no two calls have the same
    unsigned spins;
    int last_line = 0;  // that the stepper told of
    bool fenced = false;  // since the last barrier
    bool returned = false;  // by a statement above the end of the kernel
    bool triggered = false;  // lets the next kernel begin
    int arrived[3] = {}, waited[3] = {};  // at barriers in two steps, by group_scope
    const void* awaited = nullptr;  // the asynchronous barrier at which it waits, and
    uint64_t awaited_phase = 0;     // the phase
    bool may_give_up = false, given_up = false;  // a wait that may return before, and does
    bool in_vain = false;  // it goes on only because of that
    cudaError_t last_error = cudaSuccess;  // of what it asked the device runtime for
};

struct shared_word {  // what was last done to a word of shared memory
    uint32_t write_epoch = 0, write_warp_epoch = 0, read_epoch = 0, read_warp_epoch = 0,
             other_warp_epoch = 0;
    uint32_t write_step = 0, read_step = 0, other_step = 0;
    uint16_t writer = 0, reader = 0, other_reader = 0;
    bool atomic = false, several = false;
    int write_place = 0, read_place = 0, other_place = 0;
};

struct async_state;
struct block_streams;

struct thread_block {
    uint3 index;
    unsigned number;
    int first_slot;
    unsigned char* shared;
    size_t shared_bytes;
    std::vector<device_thread> threads;
    std::vector<uint16_t> order;
    std::vector<shared_word> words, bytes;
    std::vector<uint32_t> warp_epochs;
    std::vector<uint32_t> warp_gone;  // a bit for each lane that has ended or does not exist
    uint32_t epoch = 1, first_epoch = 1;
    int alive;
    bool triggered;  // all its threads let the next kernel begin
    bool races_checked, races_across_warps_checked;
    bool stepped;  // its steps are shown
    std::shared_ptr<async_state> async = nullptr;  // once it uses asynchronous barriers or copies
    std::shared_ptr<block_streams> streams = nullptr;  // once it launches kernels
};

extern const kernel_launch* current_launch;
extern thread_block* current_block;
extern int current_thread;
inline device_thread& self() { return current_block->threads[current_thread]; }
inline void show_thread(const thread_block& block, int thread) {  // makes it the one that runs
    current_thread = thread;
    __emu_thread = block.threads[thread].index;
}
extern bool memory_changed;  // by an atomic operation: who looks for a change may find one

// The other thread of a race: its number in its block, what it did and where, and, of global
// memory, the number of its block.
struct race_partner {
    int thread;
    bool wrote;
    int place;
    uint32_t block = 0;
};

// A write of the thread that runs, to where another thread wrote at the same time: a mistake only
// if the values differ, which shows when the thread goes on.
struct unsettled_write {
    const void* to;
    unsigned char before[16];
    int size, place;
    unsigned bytes;  // a bit for each of its bytes that is meant
    race_partner other;
    void (*differs)(int place, const race_partner& other);  // faults
};
extern "C" unsettled_write __emu_pending_write;

}  // namespace emulator
