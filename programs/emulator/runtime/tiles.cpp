// Tiles of several warps: a barrier of a part of a block, which hands values on.

#include <algorithm>
#include <cstring>
#include <string>

#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace emulator {

static bool joins(const device_thread& thread, const warp_request& request) {
    return thread.state == in_tile_operation && thread.request.tile == request.tile &&
           thread.request.size == request.size;
}

// Tiles all of whose threads are there.
bool running_launch::resolve_tiles(thread_block& block) {
    bool progress = false;
    for (int i = 0; i < threads_; ++i) {
        if (block.threads[i].state != in_tile_operation) continue;
        const warp_request request = block.threads[i].request;
        const int first = i / request.tile * request.tile;
        const int end = std::min(first + request.tile, threads_);
        const auto begin = block.threads.begin();
        if (!std::all_of(begin + first, begin + end, [&](const device_thread& thread) {
                return thread.state == over || joins(thread, request);
            }))
            continue;
        for (int number = first; number < end && request.size; ++number) {
            device_thread& thread = block.threads[number];
            if (thread.state == over) continue;
            const int source = first + thread.request.source;
            if (source >= end || block.threads[source].state == over) {
                current_block = &block;
                show_thread(block, number);
                stop(cudaErrorLaunchFailure,
                     ", block " + triple(block.index) + ", thread " + triple(thread.index) + ", " +
                         place_text(thread.file, thread.line) + ": a shuffle from thread " +
                         std::to_string(thread.request.source) +
                         " of its tile, which does not take part");
                return true;
            }
            memcpy(thread.request.result, block.threads[source].request.value, request.size);
        }
        for (int number = first; number < end; ++number) {
            device_thread& thread = block.threads[number];
            if (thread.state == over) continue;
            thread.state = ready;
            thread.fenced = false;
        }
        next_epoch(block);
        if (traced(block)) trace_event(block, block.threads[i].line, "the tile goes on");
        progress = true;
    }
    return progress;
}

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_tile_exchange(unsigned threads, const void* value, int size, int source,
                                    void* result, const char* file, int line) {
    warp_request request{warp_request::shuffle, 0, value, size, source, result};
    request.tile = int(threads);
    self().request = request;
    wait_as(in_tile_operation, file, line);
}
