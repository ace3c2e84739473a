// Barriers in two steps: a thread arrives, does something else, and waits for the others to arrive.

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace emulator {

static bool waits_for_arrivals(const device_thread& thread, int scope) {
    return thread.state == at_arrivals && thread.scope == scope;
}

// Lets those go on that wait for a phase in which all have arrived.
bool running_launch::resolve_arrivals() {
    bool progress = false;
    for (size_t i = 0; i < blocks_.size(); ++i) {
        for (const int scope : {abi::scope_block, abi::scope_cluster, abi::scope_grid}) {
            thread_block& block = *blocks_[i];
            if (std::none_of(
                    block.threads.begin(), block.threads.end(),
                    [=](const device_thread& thread) { return waits_for_arrivals(thread, scope); }))
                continue;
            if (scope == abi::scope_grid && begun_ != count_ / per_cluster_) continue;
            int least = INT_MAX;  // the phase in which all have arrived
            for (const auto& other : blocks_) {
                if (scope == abi::scope_block && other.get() != &block) continue;
                if (scope == abi::scope_cluster &&
                    other->number / per_cluster_ != block.number / per_cluster_)
                    continue;
                for (const device_thread& thread : other->threads)
                    if (thread.state != over) least = std::min(least, thread.arrived[scope]);
            }
            for (device_thread& thread : block.threads) {
                if (!waits_for_arrivals(thread, scope) || thread.arrived[scope] > least) continue;
                thread.waited[scope] = thread.arrived[scope];
                thread.state = ready;
                thread.fenced = false;
                progress = true;
            }
            if (progress) next_epoch(block);
        }
    }
    return progress;
}

void refuse_between_arrival_and_wait(int scope, const char* file, int line) {
    if (self().arrived[scope] != self().waited[scope])
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "synchronizes a group between barrier_arrive() and barrier_wait() of the same group");
}

void refuse_ordinary_launch(int scope, const char* file, int line) {
    if (scope == abi::scope_grid && !current_launch->cooperative)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits for the grid in a launch that is not cooperative: use "
              "cudaLaunchCooperativeKernel");
}

}  // namespace emulator

using namespace emulator;

extern "C" {

int __emu_group_arrive(int scope, const char* file, int line) {
    refuse_ordinary_launch(scope, file, line);
    device_thread& thread = self();
    if (thread.arrived[scope] != thread.waited[scope])
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "arrives at a group's barrier again, without a wait since it arrived");
    return ++thread.arrived[scope];
}

void __emu_group_wait(int scope, int phase, const char* file, int line) {
    device_thread& thread = self();
    if (thread.arrived[scope] == thread.waited[scope] ||
        (phase != abi::any_phase && phase != thread.arrived[scope]))
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits at a group's barrier without having arrived, or with an old token");
    thread.scope = scope;
    wait_as(at_arrivals, file, line);
}

}  // extern "C"
