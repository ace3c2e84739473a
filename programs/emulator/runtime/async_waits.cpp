// Waiting at asynchronous barriers.

#include <string>
#include <utility>

#include "async_state.hpp"
#include "faults.hpp"
#include "races.hpp"
#include "running_launch.hpp"
#include "waiting.hpp"

namespace emulator {

namespace {

constexpr uint64_t most_vain_waits = 1000000;  // of all threads, while nothing else happens

void see_phase(async_barrier& barrier, uint64_t wanted, bool ordered) {
    if (barrier.owner != current_block) {
        if (ordered) next_epoch(*current_block);
        return;
    }
    of_thread(barrier.waited) = wanted + 1;
    if (!ordered) return;
    if (barrier.foreign) next_epoch(*current_block);  // an order through other blocks
    async_state& state = async_of(*current_block);
    join(state.known[current_thread], barrier.complete);
    if (barrier.complete_fence.empty()) return;
    state.fences[current_thread].join(barrier.complete_fence);
    state.fenced.push_back(uint16_t(current_thread));
}

uint64_t phase_of_token(const async_barrier& barrier, uint64_t token, const char* file, int line) {
    const uint64_t phase = token >> abi::token_phase_shift;
    if (phase > barrier.phase)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits at a barrier with a token that this barrier has not given");
    if (phase + 1 < barrier.phase)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits at a barrier with an old token: the phase after its own has ended, too");
    return phase;
}

uint64_t phase_of_parity(async_barrier& barrier, uint64_t parity, int code, const char* file,
                         int line) {
    if ((barrier.phase & 1) == (parity & 1)) return barrier.phase;
    if (barrier.owner == current_block && !(code & abi::wait_test) && barrier.phase > 0 &&
        of_thread(barrier.waited) == barrier.phase)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits for parity " + std::to_string(parity & 1) +
                  " of a barrier again, though the thread has already waited for that phase: the "
                  "current one has parity " +
                  std::to_string(barrier.phase & 1));
    return barrier.phase - 1;  // it has ended, or is the one before the first
}

}  // namespace

void finish_copies(async_barrier& barrier) {
    while (barrier.has_work()) {
        const copy_item copy = barrier.copies.front();
        barrier.copies.pop_front();
        if (copy->phase != barrier.phase && copy->bytes)
            fault(cudaErrorLaunchFailure, copy->place(),
                  "an asynchronous copy brings " + count_text(int64_t(copy->bytes), "byte") +
                      " that the barrier's phase did not expect: it was complete without them");
        carry_out(copy, barrier.number, uint32_t(barrier.phase + 1));
        if (copy->bytes)
            barrier.bytes -= int64_t(copy->bytes);
        else
            --barrier.attached, --barrier.pending;
        complete_if_due(barrier);
    }
}

std::string what_lacks(const device_thread& thread) {
    const auto barrier = find_barrier(thread.awaited);
    if (!barrier) return "at a barrier";
    std::string text = "at the barrier initialized at " + barrier->place() + ", whose phase " +
                       std::to_string(thread.awaited_phase) + " lacks ";
    if (barrier->pending > 0) text += count_text(barrier->pending, "arrival");
    if (barrier->pending > 0 && barrier->bytes) text += " and ";
    if (barrier->bytes > 0) text += count_text(barrier->bytes, "byte");
    if (barrier->bytes < 0)
        text += std::string(barrier->pending > 0 ? "" : "nothing, but ") + "has " +
                count_text(-barrier->bytes, "byte") + " too many";
    return text;
}

bool running_launch::resolve_async(thread_block& block) {
    bool progress = false;
    for (device_thread& thread : block.threads) {
        if (thread.state != at_async_barrier) continue;
        const auto barrier = find_barrier(thread.awaited);
        if (barrier && !barrier->passed(thread.awaited_phase) && !barrier->has_work()) continue;
        thread.state = ready;
        progress = true;
    }
    return progress;
}

// Nothing else goes on: what may return without its phase's end, does.
bool running_launch::let_give_up() {
    bool some = false;
    for (auto& block : blocks_)
        for (device_thread& thread : block->threads)
            if (thread.state == at_async_barrier && thread.may_give_up &&
                vain_waits_++ < most_vain_waits) {
                thread.state = ready;
                thread.in_vain = thread.given_up = some = true;
            }
    return some;
}

}  // namespace emulator

using namespace emulator;

extern "C" int __emu_mbarrier_wait(void* address, unsigned long long which, int code,
                                   const char* file, int line) {
    settle();
    device_thread& thread = self();
    const std::string place = place_text(file, line);
    const auto barrier = barrier_at(address, file, line);
    if (barrier->owner && barrier->owner != current_block)
        fault(cudaErrorIllegalAddress, place,
              "waits at a barrier of another block: a thread can only arrive there");
    const uint64_t wanted = code & abi::wait_parity
                                ? phase_of_parity(*barrier, which, code, file, line)
                                : phase_of_token(*barrier, which, file, line);
    const bool before_first = wanted == ~uint64_t(0);  // no phase has ended yet
    while (!before_first && !barrier->passed(wanted)) {
        if (code & abi::wait_test && !std::exchange(barrier->looked, true)) break;
        finish_copies(*barrier);
        if (barrier->passed(wanted) || code & abi::wait_test) break;
        thread.awaited = address;
        thread.awaited_phase = wanted;
        thread.may_give_up = code & abi::wait_try;
        thread.given_up = false;
        wait_as(at_async_barrier, file, line);
        if (self().given_up) return 0;
    }
    if (!before_first && !barrier->passed(wanted)) {
        spin();
        return 0;
    }
    if (!before_first) see_phase(*barrier, wanted, !(code & abi::wait_relaxed));
    return 1;
}
