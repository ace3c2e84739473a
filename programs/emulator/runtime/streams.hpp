// Streams, events and the order of their work.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime.hpp"

namespace emulator {

struct Operation {
    std::function<cudaError_t()> act;          // a copy, a note; or
    std::unique_ptr<Launch> launch;            // a kernel, and
    Execution* execution = nullptr;            // when it has begun
    std::vector<std::shared_ptr<Operation>> after;
    int priority = 0;
    bool done = false;
};
using Work = std::shared_ptr<Operation>;

struct Captured {  // of a graph
    std::function<cudaError_t()> act;
    std::shared_ptr<Launch> launch;
};

struct Stream {
    bool blocking;      // waits for the legacy default stream, and is waited for
    int priority = 0;
    unsigned flags = 0;
    std::unique_ptr<std::vector<Captured>> capturing = nullptr;  // instead of being put to work
    Work last = nullptr;  // null or done: idle
    bool busy() const { return last && !last->done; }
};

struct Event {
    Work recorded;
    uint64_t time = 0;
    bool timed = true;
};

Stream* stream_of(cudaStream_t handle);  // null if there is none such
Stream* new_stream(bool blocking, int priority);
void forget_stream(Stream* stream);      // its work is still done

// Puts work behind what the stream already holds.
Work enqueue(Stream& stream, std::function<cudaError_t()> act);
Work enqueue(Stream& stream, Launch launch);
void wait_in_stream(Stream& stream, const Work& other);

// Works until `work` is done, or everything if it is null. What went wrong stays in `sticky`.
void finish(const Work& work);
// Works for a while, as a device does while the host asks.
void work_for_a_while();

extern cudaError_t sticky;               // the error after which the context is of no more use
void forget_work();

}  // namespace emulator
