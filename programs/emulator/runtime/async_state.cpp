#include "async_state.hpp"

#include <algorithm>

namespace emulator {

void join(thread_clock& clock, const thread_clock& other) {
    if (clock.size() < other.size()) clock.resize(other.size());
    uint32_t* const mine = clock.data();
    const uint32_t* const theirs = other.data();
    for (size_t i = 0, count = other.size(); i < count; ++i)
        mine[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
}

void fence_reach::join(const fence_reach& other) {
    if (other.empty()) return;
    epoch = std::max(epoch, other.epoch);
    emulator::join(steps, other.steps);
}

void proxy_fence::join(const proxy_fence& other) {
    shared.join(other.shared);
    global.join(other.global);
}

std::string count_text(int64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

uint64_t& of_thread(std::vector<uint64_t>& all) {
    if (all.size() <= size_t(current_thread)) all.resize(current_block->threads.size());
    return all[current_thread];
}

async_state::async_state(const thread_block& block)
    : known(block.threads.size()),
      fences(block.threads.size()),
      copies(block.threads.size()),
      writers(no_thread) {
    for (size_t i = 0; i < known.size(); ++i) {
        known[i].resize(i + 1);
        known[i][i] = 1;
    }
}

async_state& async_of(thread_block& block) {
    if (!block.async) block.async = std::make_shared<async_state>(block);
    return *block.async;
}

bool is_fenced(const thread_block& block, int thread, int writer, uint32_t epoch, uint32_t step,
               fence_reach proxy_fence::* memory) {
    if (epoch < block.first_epoch || writer >= no_thread) return true;
    if (!block.async) return false;
    return (block.async->fence.*memory).covers(writer, epoch, step) ||
           (block.async->fences[thread].*memory).covers(writer, epoch, step);
}

void next_step(thread_block& block, int thread) { ++block.async->known[thread][thread]; }

void fence_proxy(thread_block& block, int thread, int spaces) {
    async_state& state = async_of(block);
    const fence_reach reach = {block.epoch, state.known[thread]};
    if (spaces & abi::fenced_shared) state.fences[thread].shared.join(reach);
    if (spaces & abi::fenced_global) state.fences[thread].global.join(reach);
    state.fenced.push_back(uint16_t(thread));
    next_step(block, thread);
}

void next_epoch(thread_block& block) {
    ++block.epoch;
    if (!block.async || block.async->fenced.empty()) return;
    for (const int thread : block.async->fenced) {
        block.async->fence.join(block.async->fences[thread]);
        block.async->fences[thread] = {};
    }
    block.async->fenced.clear();
}

void meet_in_warp(thread_block& block, int first, unsigned lanes) {
    if (!block.async) return;
    async_state& state = *block.async;
    thread_clock all;
    proxy_fence fence;
    for (int lane = 0; lane < warp_size; ++lane)
        if (lanes >> lane & 1) {
            join(all, state.known[first + lane]);
            fence.join(state.fences[first + lane]);
        }
    for (int lane = 0; lane < warp_size; ++lane)
        if (lanes >> lane & 1) {
            state.known[first + lane] = all;
            next_step(block, first + lane);
            if (fence.empty()) continue;
            state.fences[first + lane] = fence;
            state.fenced.push_back(uint16_t(first + lane));
        }
}

}  // namespace emulator
