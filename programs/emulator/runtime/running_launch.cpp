#include "running_launch.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "async_state.hpp"
#include "memory.hpp"
#include "random.hpp"
#include "shared_memory.hpp"
#include "slots.hpp"
#include "trace.hpp"

namespace emulator {

running_launch* current_running;

namespace {

int running_launches;
uint32_t launches_begun;

// Threads alive at a time, of all blocks of a launch. More blocks begin only if all of these wait.
#ifdef __wasm__
constexpr int max_living_threads = 8192;
constexpr size_t room_of_children = 4096;
#else
constexpr int max_living_threads = 1 << 19;
constexpr size_t room_of_children = 1 << 15;
#endif

}  // namespace

uint3 index_in(uint64_t number, dim3 size) {
    return {unsigned(number % size.x), unsigned(number / size.x % size.y),
            unsigned(number / size.x / size.y)};
}

std::string triple(uint3 v) {
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

running_launch::running_launch(kernel_launch launch)
    : serial(++launches_begun), launch_(std::move(launch)) {
    ++running_launches;
    for (auto& value : launch_.values) arguments_.push_back(value.data());
    count_ = volume(launch_.grid);
    per_cluster_ = unsigned(volume(launch_.cluster));
    threads_ = int(volume(launch_.block));
    shared_bytes_ =
        shared_offset(*launch_.kernel, abi::dynamic_shared_variable) + launch_.dynamic_shared;
    const uint64_t groups = count_ / per_cluster_;
    if (seed &&
        groups > 1) {  // any step that shares no divisor with the count visits every group once
        offset_ = random_below(uint32_t(std::min<uint64_t>(groups, UINT32_MAX)));
        do step_ = 1 + random_below(uint32_t(std::min<uint64_t>(groups, UINT32_MAX)));
        while (std::gcd(step_, groups) != 1);
    }
    if (__emu_stepping) trace_launch(launch_);
    plain_ = !launch_.kernel->yields && !wants_steps();
}

running_launch::~running_launch() {
    if (__emu_stepping) flush_trace();
    for (auto& block : blocks_)
        if (block) leave(*block);
    if (current_running == this) current_running = nullptr;
    if (--running_launches == 0) forget_slots();
}

// Blocks of a cluster follow one another in number, so that a cluster begins as a whole.
uint3 running_launch::index_of(uint64_t number) const {
    if (per_cluster_ == 1) return index_in(number, launch_.grid);
    const dim3 c = launch_.cluster, g = launch_.grid;
    const uint3 cluster = index_in(number / per_cluster_, dim3(g.x / c.x, g.y / c.y, g.z / c.z));
    const uint3 rank = index_in(number % per_cluster_, c);
    return {cluster.x * c.x + rank.x, cluster.y * c.y + rank.y, cluster.z * c.z + rank.z};
}

void running_launch::begin_block(uint64_t number) {
    // What a block's memory remembers stays; a later epoch makes it the past.
    std::unique_ptr<thread_block> block;
    if (spare_.empty()) {
        block = std::make_unique<thread_block>();
    } else {
        block = std::move(spare_.back());
        spare_.pop_back();
        ++block->epoch;
    }
    block->first_epoch = block->epoch;
    block->async = nullptr;
    block->streams = nullptr;
    block->number = unsigned(number);
    block->index = index_of(number);
    block->first_slot = plain_ ? 0 : take_slots(threads_);
    block->shared_bytes = shared_bytes_;
    block->shared =
        shared_bytes_ ? static_cast<unsigned char*>(take_shared(shared_bytes_)) : nullptr;
    if (shared_bytes_ && !block->shared)
        stop(cudaErrorMemoryAllocation, ": no memory is left for the shared variables of a block");
    if (block->shared) {
        __emu_shared_low = std::min(__emu_shared_low, uintptr_t(block->shared));
        __emu_shared_high = std::max(__emu_shared_high, uintptr_t(block->shared) + shared_bytes_);
        block->words.resize(shared_bytes_ / 4 + 1);
        for (const int* number = launch_.kernel->shared; *number >= 0; ++number)
            guard_shared(block->shared + shared_offset(*launch_.kernel, *number) +
                             __emu_shared_variables[*number].bytes,
                         abi::shared_guard_bytes);
    }
    if (block->threads.empty()) {
        block->threads.resize(threads_);
        for (int i = 0; i < threads_; ++i) block->threads[i].index = index_in(i, launch_.block);
        block->order.resize(threads_);
        std::iota(block->order.begin(), block->order.end(), uint16_t(0));
    } else {
        for (device_thread& thread : block->threads) {
            thread.state = fresh;
            thread.spins = 0;
            thread.last_line = 0;
            thread.last_error = cudaSuccess;
            thread.fenced = thread.triggered = false;
            for (const int scope : {abi::scope_block, abi::scope_cluster, abi::scope_grid})
                thread.arrived[scope] = thread.waited[scope] = 0;
        }
    }
    if (seed)
        for (int i = threads_ - 1; i > 0; --i)
            std::swap(block->order[i], block->order[random_below(i + 1)]);
    const int warps = (threads_ + warp_size - 1) / warp_size;
    block->warp_epochs.assign(warps, 0);
    block->warp_gone.assign(warps, 0);
    if (threads_ % warp_size) block->warp_gone.back() = ~0U << threads_ % warp_size;
    block->alive = threads_;
    block->triggered = false;
    block->stepped = !plain_ && wants_steps(*block);
    block->races_checked = block->races_across_warps_checked = true;
    blocks_.push_back(std::move(block));
}

bool running_launch::any() { return running_launches > 0; }
int running_launch::most_living_threads() { return max_living_threads; }
size_t running_launch::room_for_children() { return room_of_children; }

bool running_launch::begin_group() {
    const uint64_t groups = count_ / per_cluster_;
    if (begun_ >= groups) return false;
    if (!blocks_.empty() && (blocks_.size() + per_cluster_) * threads_ > size_t(max_living_threads))
        return false;
    const uint64_t group = (offset_ + begun_++ * step_) % groups;
    for (unsigned rank = 0; rank < per_cluster_; ++rank) begin_block(group * per_cluster_ + rank);
    return true;
}

void running_launch::leave(thread_block& block) {
    trace_end(block);
    if (block.async)
        if (const std::string text = end_async(block, error_ != cudaSuccess); !text.empty())
            stop(cudaErrorLaunchFailure, ", block " + triple(block.index) + ": " + text);
    if (!plain_) give_slots(block.first_slot, threads_);
    if (block.shared) give_shared(block.shared, block.shared_bytes);
    block.shared = nullptr;
}

// Ends the launch with an error, and says why after the kernel's name.
void running_launch::stop(cudaError_t error, const std::string& text) {
    error_ = error;
    fflush(stdout);
    fprintf(stderr, "emulator: %s%s\n", launch_.kernel->name, text.c_str());
}

void running_launch::tell_overflow(int bytes, const device_thread* thread) {
    stop(cudaErrorLaunchFailure, (thread ? ", thread " + triple(thread->index) : "") +
                                     ": needs more local memory than the " +
                                     std::to_string(bytes >> 10) + " KiB that a thread has here");
}

thread_block* block_of_shared(const void* p) {
    if (uintptr_t(p) - __emu_shared_low >= __emu_shared_high - __emu_shared_low || !current_running)
        return nullptr;
    return current_running->holding(p);
}

}  // namespace emulator
