// Warp operations: shuffles, votes and the barriers of warps.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace emulator {

static void copy(void* to, const void* from, int size) {
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

// A lane that has come to its warp operation at another line; a barrier may have several.
static const device_thread* called_elsewhere(const thread_block& block, int first, unsigned lanes,
                                             const device_thread& thread) {
    if (thread.request.kind == warp_request::barrier) return nullptr;
    for (int lane = 0; lane < warp_size; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        const device_thread& other = block.threads[first + lane];
        if (other.line != thread.line || strcmp(other.file, thread.file) != 0) return &other;
    }
    return nullptr;
}

// Warp operations whose lanes are all there.
bool running_launch::resolve_warp(thread_block& block, int first) {
    bool progress = false;
    const int end = std::min(first + warp_size, threads_);
    for (int i = first; i < end; ++i) {
        device_thread& thread = block.threads[i];
        if (thread.state != in_warp_operation) continue;
        const unsigned mask = thread.request.mask;
        const unsigned lanes =
            mask & ~block.warp_gone[warp_of(first)];  // no lane waits for those that have ended
        bool complete = true;
        for (int lane = 0; lane < warp_size && complete; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            const device_thread& other = block.threads[first + lane];
            complete = other.state == in_warp_operation && other.request.mask == mask &&
                       other.request.kind == thread.request.kind &&
                       other.request.size == thread.request.size;
        }
        if (!complete) continue;
        if (const device_thread* other = called_elsewhere(block, first, lanes, thread)) {
            current_block = &block;
            show_thread(block, int(other - block.threads.data()));
            stop(cudaErrorLaunchFailure,
                 ", block " + triple(block.index) + ", thread " + triple(other->index) + ", " +
                     place_text(other->file, other->line) + ": a warp operation of the lanes " +
                     mask_text(mask) + ", of which thread " + triple(thread.index) +
                     " calls another, at " + place_text(thread.file, thread.line) +
                     ": each lane that the mask names has to come to the same call");
            return true;
        }
        const int size = thread.request.size;
        static std::vector<unsigned char> all;
        all.assign(size_t(warp_size) * size, 0xcd);
        for (int lane = 0; lane < warp_size; ++lane)
            if (lanes >> lane & 1 && size)
                copy(&all[size_t(lane) * size], block.threads[first + lane].request.value, size);
        for (int lane = 0; lane < warp_size; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            device_thread& other = block.threads[first + lane];
            if (other.request.kind == warp_request::gather) {
                memcpy(other.request.result, all.data(), all.size());
                *other.request.lanes = lanes;
            }
            if (other.request.kind == warp_request::shuffle &&
                mask & ~lanes & 1U << other.request.source) {
                const int source = first + other.request.source;
                current_block = &block;
                show_thread(block, first + lane);
                stop(cudaErrorLaunchFailure,
                     ", block " + triple(block.index) + ", thread " + triple(other.index) + ", " +
                         place_text(other.file, other.line) + ": a shuffle from lane " +
                         std::to_string(other.request.source) + ", which " +
                         (source < threads_ ? "does not take part: it took another branch, or "
                                              "it returned before"
                                            : "does not exist"));
                return true;
            }
            if (other.request.kind == warp_request::shuffle)
                copy(other.request.result, &all[size_t(other.request.source) * size], size);
            other.state = ready;
        }
        if (traced(block)) trace_event(block, thread.line, "the warp operation is complete");
        if (thread.request.kind == warp_request::barrier) {  // others order no memory
            ++block.warp_epochs[warp_of(first)];
            meet_in_warp(block, first, lanes);
        }
        progress = true;
    }
    return progress;
}

// __activemask(): lanes of a warp that ask at the same place while no other lane of it can run.
bool running_launch::resolve_active(thread_block& block, int first) {
    const int end = std::min(first + warp_size, threads_);
    const device_thread* asking = nullptr;
    for (int i = first; i < end; ++i) {
        const device_thread& thread = block.threads[i];
        if (thread.state == ready || thread.state == fresh || thread.state == at_line) return false;
        if (thread.state == asking_active && !asking) asking = &thread;
    }
    if (!asking) return false;
    unsigned mask = 0;
    for (int i = first; i < end; ++i) {
        const device_thread& thread = block.threads[i];
        if (thread.state == asking_active && thread.site == asking->site &&
            thread.line == asking->line && strcmp(thread.file, asking->file) == 0)
            mask |= 1U << (i - first);
    }
    for (int i = first; i < end; ++i) {
        if (!(mask >> (i - first) & 1)) continue;
        block.threads[i].active = mask;
        block.threads[i].state = ready;
    }
    return true;
}

static void operate(warp_request request, const char* file, int line) {
    device_thread& thread = self();
    const int lane = lane_of(current_thread);
    if (!(request.mask >> lane & 1)) {
        fault(cudaErrorIllegalInstruction, place_text(file, line),
              "calls a warp operation whose mask " + mask_text(request.mask) +
                  " does not name its own lane");
    }
    thread.request = request;
    wait_as(in_warp_operation, file, line);
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_warp_barrier(unsigned mask, const char* file, int line) {
    operate({warp_request::barrier, mask, nullptr, 0, 0, nullptr}, file, line);
}

unsigned __emu_warp_gather(unsigned mask, const void* value, int size, void* all, const char* file,
                           int line) {
    unsigned lanes = 0;
    operate({warp_request::gather, mask, value, size, 0, all, &lanes}, file, line);
    return lanes;
}

void __emu_shuffle(unsigned mask, const void* value, int size, int source, void* result,
                   const char* file, int line) {
    operate({warp_request::shuffle, mask, value, size, source, result}, file, line);
}

unsigned __emu_active_lanes(const char* file, int line, int site) {
    wait_as(asking_active, file, line, site);
    return self().active;
}

int __emu_lane() { return lane_of(current_thread); }

}  // extern "C"
