// Launches that do not come to an end: who waits where.

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"

namespace emulator {

// No thread can go on: says which threads wait where.
void running_launch::stuck() {
    const thread_block& block = *blocks_.front();
    std::string text;
    const device_thread* lonely = nullptr;
    std::vector<std::pair<std::string, int>> places;
    int ended = 0;
    for (const device_thread& thread : block.threads) {
        std::string what;
        if (thread.state == over) ++ended;
        if (thread.state == at_barrier) what = "at __syncthreads";
        if (thread.state == at_group_barrier)
            what = thread.scope == abi::scope_cluster ? "for the cluster" : "for the grid";
        if (thread.state == in_warp_operation) {
            what = "in a warp operation of the lanes " + mask_text(thread.request.mask);
            lonely = &thread;
        }
        if (thread.state == in_tile_operation)
            what =
                "in an operation of a tile of " + std::to_string(thread.request.tile) + " threads";
        if (thread.state == at_arrivals) what = "for others to arrive at a group's barrier";
        if (thread.state == at_async_barrier) what = what_lacks(thread);
        if (what.empty()) continue;
        what += " at " + place_text(thread.file, thread.line);
        if (!places.empty() && places.back().first == what)
            ++places.back().second;
        else {
            auto known = std::find_if(places.begin(), places.end(),
                                      [&](auto& p) { return p.first == what; });
            if (known == places.end())
                places.emplace_back(what, 1);
            else
                ++known->second;
        }
    }
    for (auto& [what, count] : places)
        text += (text.empty() ? "" : ", ") + std::to_string(count) +
                (count == 1 ? " thread waits " : " threads wait ") + what;
    if (ended) text += ", " + std::to_string(ended) + " ended";
    stop(lonely ? cudaErrorLaunchFailure : cudaErrorLaunchTimeout,
         ", block " + triple(block.index) + ": deadlock: " + text);
}

void running_launch::give_up() {
    for (const auto& block : blocks_)
        for (const device_thread& thread : block->threads)
            if (thread.state == spinning) {
                stop(cudaErrorLaunchTimeout, ", block " + triple(block->index) + ", thread " +
                                                 triple(thread.index) +
                                                 ": waits without end for memory to change");
                return;
            }
}

}  // namespace emulator
