// What a block knows of its asynchronous barriers and copies, and of the order that they make.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "blocks.hpp"

namespace emulator {

// For each thread up to which of its own steps something has seen its accesses. A step ends where a
// thread lets others know: it arrives at a barrier, or fences. Copies that a barrier completes have
// a number of their own after those of the threads.
using thread_clock = std::vector<uint32_t>;
void join(thread_clock& clock, const thread_clock& other);
inline bool reaches(const thread_clock& clock, int thread, uint32_t step) {
    return size_t(thread) < clock.size() && clock[thread] >= step;
}

// Which writes a fence covers: those of all epochs before this one, and up to these steps.
struct fence_reach {
    uint32_t epoch = 0;
    thread_clock steps = {};
    void join(const fence_reach& other);
    bool empty() const { return epoch == 0 && steps.empty(); }
    bool covers(int writer, uint32_t at_epoch, uint32_t step) const {
        return at_epoch < epoch || reaches(steps, writer, step);
    }
};
// Which writes proxy fences have made visible to asynchronous copies, by where they went.
struct proxy_fence {
    fence_reach shared = {}, global = {};
    void join(const proxy_fence& other);
    bool empty() const { return shared.empty() && global.empty(); }
};

// A part of a copy; from null: what the copy fills with.
struct copy_piece {
    unsigned char* to;
    const unsigned char* from;
    uint32_t bytes;
};

struct async_barrier;

struct async_copy {
    std::vector<copy_piece> pieces;
    int operation = abi::atomic_store, type = 0;  // of a reduction
    bool proxy = true;                            // of the asynchronous proxy
    bool of_library = false;
    uint32_t outside = 0;  // what it fills with, again and again
    bool rounds = false;   // its numbers to TF32
    uint64_t bytes = 0;                           // that it tells its barrier
    const char* file = nullptr;
    int line = 0;
    thread_block* source = nullptr;  // whose shared memory it reads
    thread_block* target = nullptr;  // whose shared memory it writes
    std::weak_ptr<async_barrier> barrier = {};
    uint64_t phase = 0;  // of the barrier when it began
    bool read = false, done = false;
    std::vector<unsigned char> data = {};
    std::vector<std::shared_ptr<async_copy>> parts = {};  // of a thread, that arrive as one
    std::string place() const;
};
using copy_item = std::shared_ptr<async_copy>;

struct async_barrier {
    const void* address = nullptr;
    thread_block* owner = nullptr;  // null in global memory
    int number = 0;                 // of what its copies write, after the threads
    int64_t expected = 0, pending = 0, bytes = 0;
    uint64_t phase = 0;
    bool held = false;  // while a completion function runs
    bool foreign = false;  // threads of other blocks have arrived
    bool looked = false;  // a test has found its copies not done
    const char* file = nullptr;
    int line = 0;
    int maker = 0;
    uint32_t made_epoch = 0, made_warp_epoch = 0, made_step = 0;
    bool made_known = false;  // by a fence of its maker for such initializations
    int attached = 0;  // arrivals that copies of threads will make
    std::deque<copy_item> copies = {};
    thread_clock arrived = {}, complete = {};  // by those of this phase, by those of the last
    proxy_fence arrived_fence = {}, complete_fence = {};
    std::vector<uint64_t> waited = {}, joined = {};  // by thread: the phase after that it saw, that
                                                     // it arrived in
    bool passed(uint64_t wanted) const { return phase > wanted; }
    std::string place() const;
    // All arrivals have come but those of its copies.
    bool has_work() const { return pending == attached && !copies.empty(); }
};

struct thread_copies {
    std::vector<copy_item> open = {}, bulk_open = {};
    std::deque<std::vector<copy_item>> groups = {}, bulk_groups = {};
};

struct async_state {
    std::map<uintptr_t, std::shared_ptr<async_barrier>> barriers = {};
    std::vector<thread_clock> known;
    std::vector<proxy_fence> fences;
    proxy_fence fence = {};  // that all its threads share since the last barrier
    std::vector<uint16_t> fenced = {};  // threads with one of their own since then
    std::vector<thread_copies> copies;
    std::deque<copy_item> reading = {};  // that read its shared memory
    std::deque<copy_item> writing = {};  // that write it
    std::map<uintptr_t, uint64_t> maps_acquired = {};  // tensor maps in global memory, and when
    int writers;
    explicit async_state(const thread_block& block);
};

constexpr int no_thread = 1024;  // the first number that is no thread's

async_state& async_of(thread_block& block);  // makes it, if need be
inline uint32_t step_of(const thread_block& block, int thread) {
    return block.async && size_t(thread) < block.async->known.size()
               ? block.async->known[thread][thread]
               : 1;
}
inline bool knows(const thread_block& block, int thread, int other, uint32_t step) {
    return block.async && reaches(block.async->known[thread], other, step);
}
// Whether a write to shared or global memory is visible to the copies that a thread begins.
bool is_fenced(const thread_block& block, int thread, int writer, uint32_t epoch, uint32_t step,
               fence_reach proxy_fence::* memory = &proxy_fence::shared);
void next_step(thread_block& block, int thread);
void fence_proxy(thread_block& block, int thread, int spaces);
void next_epoch(thread_block& block);  // all its threads have met
void meet_in_warp(thread_block& block, int first, unsigned lanes);

// Of the barrier at this address; null if there is none.
std::shared_ptr<async_barrier> find_barrier(const void* address);
// The barrier, where its block is there and it is initialized in order; else a fault.
std::shared_ptr<async_barrier> barrier_at(const void* address, const char* file, int line);
void complete_if_due(async_barrier& barrier);
void finish_copies(async_barrier& barrier);  // those of a phase all of whose arrivals have come
std::string count_text(int64_t count, const char* what);
// What a barrier remembers of the running thread.
uint64_t& of_thread(std::vector<uint64_t>& all);
// Why a thread waits at a barrier, in words.
std::string what_lacks(const device_thread& thread);

extern std::deque<copy_item> copies_under_way;
void begin_copy(const copy_item& copy);  // checks it, and marks what it will write
void read_source(async_copy& copy);
// The writer of its words: a thread, or a barrier's number and phase.
void carry_out(const copy_item& copy, int writer, uint32_t step);
// Faults where a write meets what a copy still reads, and an access what one still writes.
void check_copied_from(const thread_block& block, const void* p, int size,
                       const std::string& place);
void check_copied_to(const void* p, size_t size, bool write, const std::string& place);
// The block ends: tells what still uses its memory; empty if nothing does.
std::string end_async(thread_block& block, bool failed);

}  // namespace emulator
