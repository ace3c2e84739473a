// Barriers of blocks, clusters and grids.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace emulator {

bool running_launch::resolve(thread_block& block) {
    bool progress = false;
    for (int first = 0; first < threads_; first += warp_size)
        if (resolve_warp(block, first) || resolve_active(block, first)) progress = true;
    if (resolve_tiles(block)) progress = true;
    if (error_ != cudaSuccess) return true;
    int waiting = 0, sum = 0;
    bool all = true, any = false;
    for (const device_thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        ++waiting;
        sum += thread.barrier_value != 0;
        all &= thread.barrier_value != 0;
        any |= thread.barrier_value != 0;
    }
    if (waiting == 0 || waiting != block.alive) return progress;
    const device_thread* reference = nullptr;
    for (device_thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        if (!reference) reference = &thread;
        if (thread.site == reference->site && thread.line == reference->line &&
            strcmp(thread.file, reference->file) == 0 &&
            thread.barrier_kind == reference->barrier_kind)
            continue;
        const int number = int(&thread - block.threads.data());
        current_block = &block;
        show_thread(block, number);
        const std::string one = place_text(reference->file, reference->line);
        const std::string other = place_text(thread.file, thread.line);
        stop(cudaErrorLaunchFailure,
             ", block " + triple(block.index) +
                 ": deadlock at a barrier that only a part of the block reaches: thread " +
                 triple(reference->index) + " waits at " + one + ", thread " +
                 triple(thread.index) + " at " +
                 (one == other ? "another barrier of that line" : other));
        return true;
    }
    for (const device_thread& thread : block.threads) {
        if (thread.state != over || thread.returned) continue;
        current_block = &block;
        show_thread(block, int(reference - block.threads.data()));
        stop(cudaErrorLaunchFailure,
             ", block " + triple(block.index) +
                 ": a barrier that only a part of the block reaches: thread " +
                 triple(reference->index) + " waits at " +
                 place_text(reference->file, reference->line) + ", thread " + triple(thread.index) +
                 " has come to the end of the kernel without it");
        return true;
    }
    for (device_thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        const int kind = thread.barrier_kind;
        thread.fenced = false;
        thread.barrier_value = kind == abi::barrier_count ? sum
                               : kind == abi::barrier_and ? int(all)
                               : kind == abi::barrier_or  ? int(any)
                                                          : 0;
        thread.state = ready;
    }
    next_epoch(block);
    if (traced(block)) trace_event(block, reference->line, "the barrier lets all go on");
    return true;
}

// Barriers of clusters and of the whole grid.
bool running_launch::resolve_groups() {
    bool progress = false;
    for (size_t i = 0; i < blocks_.size(); ++i) {
        for (const int scope : {abi::scope_cluster, abi::scope_grid}) {
            const auto is_there = [=](const device_thread& thread) {
                return thread.state == at_group_barrier && thread.scope == scope;
            };
            const auto waits = [=](const thread_block* block) {
                return std::any_of(block->threads.begin(), block->threads.end(), is_there);
            };
            const auto open = [=](const thread_block* block) {
                return std::all_of(block->threads.begin(), block->threads.end(),
                                   [=](const device_thread& thread) {
                                       return thread.state == over || is_there(thread);
                                   });
            };
            if (!waits(blocks_[i].get())) continue;
            bool complete = scope == abi::scope_cluster || begun_ == count_ / per_cluster_;
            std::vector<thread_block*> members;
            for (auto& other : blocks_)
                if (scope == abi::scope_grid ||
                    other->number / per_cluster_ == blocks_[i]->number / per_cluster_)
                    members.push_back(other.get());
            // A block that has ended arrives no more; a thread that has, does not hold up its
            // block.
            if (scope == abi::scope_grid)
                complete = complete && members.size() == count_ &&
                           std::all_of(members.begin(), members.end(), waits);
            if (!complete || !std::all_of(members.begin(), members.end(), open)) continue;
            for (thread_block* member : members) {
                for (device_thread& thread : member->threads)
                    if (thread.state == at_group_barrier) thread.state = ready;
                next_epoch(*member);
            }
            progress = true;
        }
    }
    return progress;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_returns() {
    if (!current_running->plain()) self().returned = true;
}

int __emu_barrier(int kind, int value, const char* file, int line, int site) {
    refuse_between_arrival_and_wait(abi::scope_block, file, line);
    device_thread& thread = self();
    thread.barrier_kind = kind;
    thread.barrier_value = value;
    wait_as(at_barrier, file, line, site);
    return self().barrier_value;
}

void __emu_group_barrier(int scope, const char* file, int line, int site) {
    if (scope == abi::scope_block) {
        __emu_barrier(abi::barrier_plain, 0, file, line, site);
        return;
    }
    refuse_ordinary_launch(scope, file, line);
    refuse_between_arrival_and_wait(scope, file, line);
    self().scope = scope;
    wait_as(at_group_barrier, file, line, site);
}

}  // extern "C"
