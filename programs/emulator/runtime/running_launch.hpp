// A launch under way: some of its blocks at a time, a fiber for each of their threads.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "blocks.hpp"

namespace emulator {

class running_launch {
public:
    explicit running_launch(kernel_launch launch);
    ~running_launch();

    launch_progress advance();
    void give_up();

    const uint32_t serial;  // no other launch has the same
    kernel_launch launch_;
    cudaError_t error_ = cudaSuccess;
    bool ordered_by_program = false;  // by more than barriers
    void** arguments() { return arguments_.data(); }
    void run_plainly();
    void stop(cudaError_t error, const std::string& text);
    void tell_overflow(int bytes, const device_thread* thread);
    thread_block* holding(const void* p) {
        for (auto& block : blocks_)
            if (block && uintptr_t(p) - uintptr_t(block->shared) < block->shared_bytes)
                return block.get();
        return nullptr;
    }
    thread_block* in_cluster(const thread_block& block, unsigned rank) {
        const unsigned group = block.number / per_cluster_;
        for (auto& other : blocks_)
            if (other && other->number == group * per_cluster_ + rank) return other.get();
        return nullptr;
    }
    bool plain() const { return plain_; }  // no thread waits, so that they run as loops
    bool has_begun() const { return begun_ == count_ / per_cluster_; }  // all blocks
    bool triggered() const;  // the next kernel may begin
    unsigned per_cluster() const { return per_cluster_; }
    size_t living_threads() const { return blocks_.size() * size_t(threads_); }
    static bool any();  // under way
    static int most_living_threads();
    static size_t room_for_children();  // for threads, while other launches are under way
    uint3 index_of(uint64_t number) const;  // of a block

private:
    bool begin_group();
    void begin_block(uint64_t number);
    void leave(thread_block& block);
    bool run(thread_block& block);
    bool overflowed(int slot, const device_thread* thread);
    bool resolve(thread_block& block);
    bool resolve_warp(thread_block& block, int first);
    bool resolve_active(thread_block& block, int first);
    bool resolve_groups();
    bool resolve_tiles(thread_block& block);
    bool resolve_arrivals();
    bool resolve_async(thread_block& block);
    bool let_give_up();
    bool step_line(thread_block& block);
    void stuck();

    std::vector<void*> arguments_;
    uint64_t count_, begun_ = 0, offset_ = 0, step_ = 1;
    unsigned per_cluster_;
    int threads_;
    size_t shared_bytes_;
    bool plain_;
    std::vector<std::unique_ptr<thread_block>> blocks_, spare_;
    uint64_t idle_looks_ = 0, vain_waits_ = 0;
    uint64_t idle_since_ = 0;  // on the host's clock, when it has looked so often
};

extern running_launch* current_running;
thread_block* block_of_shared(const void* p);  // the living block whose shared memory holds p

std::string triple(uint3 v);
uint3 index_in(uint64_t number, dim3 size);  // of a thread in its block, or a block in its grid

}  // namespace emulator
