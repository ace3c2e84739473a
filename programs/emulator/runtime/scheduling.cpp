// Runs a kernel: some blocks at a time, whose threads give way where they wait.

#include <algorithm>
#include <string>
#include <utility>

#include "clock.hpp"
#include "fiber.hpp"
#include "global_writes.hpp"
#include "host_functions.hpp"
#include "launch.hpp"
#include "races.hpp"
#include "random.hpp"
#include "running_launch.hpp"
#include "slots.hpp"
#include "trace.hpp"
#include "turnstile.hpp"

namespace emulator {

static constexpr uint64_t longest_idleness_ns = 10'000'000'000;
static constexpr uint64_t most_idle_looks = 3000000;  // of all threads, while nothing else happens

// The whole grid as loops over blocks and threads, for kernels in which no thread waits for
// another.
void running_launch::run_plainly() {
    const int number = int(launch_.kernel - __emu_kernels);
    __emu_stepped = false;
    while (begin_group() && error_ == cudaSuccess) {
        for (auto& owned : blocks_) {
            thread_block& block = *owned;
            current_block = &block;
            __emu_block = block.index;
            for (const int thread : block.order) {
                show_thread(block, thread);
                __emu_call(number, arguments());
                settle();
            }
            leave(block);
            spare_.push_back(std::move(owned));
        }
        blocks_.clear();
    }
}

launch_progress running_launch::advance() {
    current_running = this;
    current_launch = &launch_;
    __emu_block_size = launch_.block;
    __emu_grid_size = launch_.grid;
    if (plain_) {
        const int slot = take_slots(1);
        enter_fiber(slot, true);
        overflowed(slot, nullptr);
        give_slots(slot, 1);
        for (auto& block : blocks_)
            if (block) leave(*block);  // there are some only after a fault
        blocks_.clear();
        current_block = nullptr;
        return launch_progress::done;
    }
    // With a seed, some blocks run at a time; a cooperative grid is there as a whole.
    const size_t wanted = launch_.cooperative ? size_t(count_)
                          : seed              ? std::max(4U, per_cluster_)
                                              : per_cluster_;
    while (error_ == cudaSuccess && blocks_.size() < wanted && begin_group()) {
    }
    bool progress = false;
    int looks = 0;
    for (size_t i = 0; i < blocks_.size() && error_ == cudaSuccess; ++i)
        progress |= run(*blocks_[i]);
    if (error_ == cudaSuccess) progress |= resolve_groups() | resolve_arrivals();
    for (auto& block : blocks_)
        for (const device_thread& thread : block->threads) looks += thread.state == spinning;
    blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(),
                                 [this](auto& block) {
                                     if (block->alive) return false;
                                     leave(*block);
                                     spare_.push_back(std::move(block));
                                     return true;
                                 }),
                  blocks_.end());
    current_block = nullptr;
    if (error_ != cudaSuccess || (blocks_.empty() && begun_ == count_ / per_cluster_))
        return launch_progress::done;
    if (std::exchange(memory_changed, false) || progress) idle_looks_ = idle_since_ = 0;
    if (progress) {
        vain_waits_ = 0;
        return launch_progress::running;
    }
    if (!blocks_.empty() && begin_group())
        return launch_progress::running;  // what these wait for may come from the next
    if (begun_ < count_ / per_cluster_ && (launch_.cooperative || !looks)) {
        stop(cudaErrorLaunchTimeout, ": needs more than the " +
                                         std::to_string(most_living_threads()) +
                                         " threads at a time that there is room for here");
        return launch_progress::done;
    }
    if (let_give_up()) return launch_progress::running;
    if (!looks) {
        stuck();
        return launch_progress::done;
    }
    idle_looks_ += uint64_t(looks);
    if (!idle_since_) idle_since_ = host_nanoseconds();
    // Another thread of the host may change what the kernel looks at, but not after so long.
    const bool in_vain = other_host_threads() || host_work_goes_on()
                             ? host_nanoseconds() - idle_since_ > longest_idleness_ns
                             : idle_looks_ > most_idle_looks;
    return in_vain ? (give_up(), launch_progress::done) : launch_progress::waiting;
}

// Whether a thread, or one of them all, has written beyond its stack; then nothing can be relied on
// any more.
bool running_launch::overflowed(int slot, const device_thread* thread) {
    const int bytes = overflowed_bytes(slot);
    if (!bytes) return false;
    tell_overflow(bytes, thread);
    return true;
}

void stack_is_full(int bytes) {
    current_running->tell_overflow(bytes, &self());
    __emu_pending_write.to = nullptr;
    abandon_fiber();
}

// Runs each thread of a block that can go on; then lets barriers and warp operations through.
bool running_launch::run(thread_block& block) {
    bool progress = false;
    current_block = &block;
    __emu_stepped = traced(block);
    __emu_block = block.index;
    for (const int number : block.order) {
        device_thread& thread = block.threads[number];
        if (thread.state != fresh && thread.state != ready && thread.state != spinning) continue;
        const bool first = thread.state == fresh, in_vain = thread.in_vain;
        thread.in_vain = false;
        thread.state = ready;
        show_thread(block, number);
        const fiber_outcome outcome = enter_fiber(block.first_slot + number, first);
        if (outcome == abandoned) return true;  // a fault, which has said so
        if (overflowed(block.first_slot + number, &thread)) return true;
        if (outcome == ended) {
            thread.state = over;
            --block.alive;
            block.warp_gone[warp_of(number)] |= 1U << lane_of(number);
        }
        // One that has waited without effect, and waits again, has not gone on.
        progress |= thread.state != spinning && !(in_vain && thread.state == at_async_barrier);
    }
    return resolve(block) || resolve_async(block) || (__emu_stepping && step_line(block)) ||
           progress;
}

running_launch* begin_launch(kernel_launch launch) { return new running_launch(std::move(launch)); }
launch_progress advance(running_launch& running) {
    static running_launch* next;
    static launch_progress progress;
    next = &running;
    progress = launch_progress::done;
    guarded([] { progress = next->advance(); });
    return progress;
}
cudaError_t finish_launch(running_launch* running) {
    const cudaError_t error = running->error_;
    delete running;
    if (!running_launch::any()) forget_all_written();
    return error;
}

void fiber_main(int) {
    if (current_running->plain())
        current_running->run_plainly();
    else {
        __emu_call(int(current_launch->kernel - __emu_kernels), current_running->arguments());
        settle();
    }
}

}  // namespace emulator
