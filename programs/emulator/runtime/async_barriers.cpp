// Asynchronous barriers: what threads and copies do to them.

#include <algorithm>
#include <string>

#include "accesses.hpp"
#include "async_state.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "running_launch.hpp"
#include "waiting.hpp"

namespace emulator {

namespace {

constexpr int64_t most_arrivals = (1 << 20) - 1;  // and bytes, of a phase

std::map<uintptr_t, std::shared_ptr<async_barrier>> global_barriers;

}  // namespace

std::string async_barrier::place() const { return place_text(file, line); }

std::shared_ptr<async_barrier> find_barrier(const void* address) {
    thread_block* block = block_of_shared(address);
    if (block && !block->async) return nullptr;
    auto& all = block ? block->async->barriers : global_barriers;
    const auto found = all.find(uintptr_t(address));
    return found == all.end() ? nullptr : found->second;
}

std::shared_ptr<async_barrier> barrier_at(const void* address, const char* file, int line) {
    const std::string place = place_text(file, line);
    check_bounds(address, 8, true, [=] { return place; });
    const auto barrier = find_barrier(address);
    if (!barrier) fault(cudaErrorLaunchFailure, place, "uses a barrier that is not initialized");
    const thread_block& block = *current_block;
    if (barrier->owner == &block && barrier->maker != current_thread && block.races_checked &&
        barrier->made_epoch == block.epoch &&
        !knows(block, current_thread, barrier->maker, barrier->made_step) &&
        (warp_of(barrier->maker) != warp_of(current_thread) ||
         barrier->made_warp_epoch == block.warp_epochs[warp_of(current_thread)]))
        fault(cudaErrorLaunchFailure, place,
              "a race: uses a barrier that thread " + thread_text(block, barrier->maker) +
                  " initialized at " + barrier->place() + ", with no barrier between");
    return barrier;
}

void complete_if_due(async_barrier& barrier) {
    if (barrier.pending != 0 || barrier.bytes != 0 || barrier.held) return;
    ++barrier.phase;
    barrier.pending = barrier.expected;
    barrier.looked = false;
    barrier.complete = barrier.arrived;
    if (barrier.owner) {  // those who wait see its copies, too
        thread_clock& seen = barrier.complete;
        if (seen.size() <= size_t(barrier.number)) seen.resize(barrier.number + 1);
        seen[barrier.number] = uint32_t(barrier.phase);
    }
    barrier.complete_fence = barrier.arrived_fence;
    memory_changed = true;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_mbarrier_init(void* address, unsigned arrivals, const char* file, int line) {
    const std::string place = place_text(file, line);
    if (uintptr_t(address) % 8)
        fault(cudaErrorMisalignedAddress, place,
              "initializes a barrier at an address that is no multiple of 8");
    check_access(address, 8, true, [=] { return place; });
    if (arrivals < 1 || arrivals > most_arrivals)
        fault(cudaErrorLaunchFailure, place,
              "initializes a barrier that expects " + std::to_string(int(arrivals)) +
                  " arrivals: 1 to 1048575 are possible");
    thread_block* owner = block_of_shared(address);
    if (owner && owner != current_block)
        fault(cudaErrorIllegalAddress, place,
              "initializes a barrier in another block's shared memory");
    async_state& state = async_of(*current_block);
    if (const auto old = find_barrier(address);
        old && (old->bytes || !old->copies.empty() || old->pending != old->expected))
        fault(cudaErrorLaunchFailure, place,
              "initializes a barrier again in the middle of a phase; it was initialized at " +
                  old->place());
    const auto barrier = std::make_shared<async_barrier>();
    barrier->address = address;
    barrier->owner = owner;
    barrier->number = state.writers < 60000 ? state.writers++ : state.writers;
    barrier->expected = barrier->pending = arrivals;
    barrier->file = file;
    barrier->line = line;
    barrier->maker = current_thread;
    barrier->made_epoch = current_block->epoch;
    barrier->made_warp_epoch = current_block->warp_epochs[warp_of(current_thread)];
    barrier->made_step = step_of(*current_block, current_thread);
    (owner ? state.barriers : global_barriers)[uintptr_t(address)] = barrier;
}

void __emu_init_fence() {
    if (!current_block->async) return;
    for (const auto& [address, barrier] : current_block->async->barriers)
        if (barrier->maker == current_thread) barrier->made_known = true;
}

void __emu_mbarrier_inval(void* address, const char* file, int line) {
    const auto barrier = barrier_at(address, file, line);
    for (const device_thread& thread : current_block->threads)
        if (thread.state == at_async_barrier && thread.awaited == address &&
            !barrier->passed(thread.awaited_phase))
            fault(cudaErrorLaunchFailure, place_text(file, line),
                  "invalidates a barrier at which threads wait");
    if (!barrier->copies.empty())
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "invalidates a barrier that a copy under way has to tell, which began at " +
                  barrier->copies.front()->place());
    (barrier->owner ? barrier->owner->async->barriers : global_barriers).erase(uintptr_t(address));
}

unsigned long long __emu_mbarrier_arrive(void* address, unsigned arrivals, unsigned bytes, int code,
                                         const char* file, int line) {
    settle();
    const std::string place = place_text(file, line);
    const auto found = barrier_at(address, file, line);
    async_barrier& barrier = *found;
    if (bytes > most_arrivals || barrier.bytes + int64_t(bytes) > most_arrivals)
        fault(cudaErrorLaunchFailure, place,
              "lets a phase of a barrier expect more than the 1048575 bytes that it can");
    if (barrier.owner != current_block && int64_t(arrivals) > barrier.pending - barrier.attached)
        finish_copies(barrier);  // they may have come by now
    barrier.bytes += bytes;
    const uint64_t token = barrier.phase << abi::token_phase_shift | uint64_t(barrier.pending);
    if (arrivals == 0) return token;
    if (int64_t(arrivals) > barrier.pending - barrier.attached)
        fault(cudaErrorLaunchFailure, place,
              "arrives at a barrier with " + count_text(arrivals, "arrival") +
                  ", though its phase expects only " +
                  std::to_string(barrier.pending - barrier.attached) + " of " +
                  std::to_string(barrier.expected) + " more");
    if (code & abi::arrival_not_last && int64_t(arrivals) == barrier.pending)
        fault(cudaErrorLaunchFailure, place,
              "completes a phase of a barrier with an arrival that says it does not");
    if (barrier.owner == current_block) {
        of_thread(barrier.joined) = barrier.phase + 1;
        if (!(code & abi::arrival_relaxed)) {
            async_state& state = async_of(*current_block);
            join(barrier.arrived, state.known[current_thread]);
            barrier.arrived_fence.join(state.fences[current_thread]);
            barrier.arrived_fence.join(state.fence);
            next_step(*current_block, current_thread);
        }
    } else {
        barrier.foreign = true;
    }
    barrier.pending -= arrivals;
    if (code & abi::arrival_drops) barrier.expected -= arrivals;
    if (code & abi::arrival_holds && barrier.pending == 0) {
        barrier.held = true;
        if (barrier.owner == current_block)
            join(async_of(*current_block).known[current_thread], barrier.arrived);
        if (barrier.foreign) next_epoch(*current_block);
        return token | 1ULL << abi::token_held_bit;
    }
    complete_if_due(barrier);
    return token;
}

void __emu_mbarrier_release(void* address) {
    settle();
    const auto barrier = find_barrier(address);
    if (!barrier) return;
    barrier->held = false;
    if (barrier->owner == current_block) {
        join(barrier->arrived, async_of(*current_block).known[current_thread]);
        next_step(*current_block, current_thread);
    }
    complete_if_due(*barrier);
}

}  // extern "C"
