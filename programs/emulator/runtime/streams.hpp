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

struct Stream;

// What streams are asked to do while they are captured, in the order of the asking: a graph runs in that order.
struct Capture {
    Stream* origin;
    cudaStreamCaptureMode mode;
    const void* thread;  // that began it
    std::vector<Captured> operations;
    std::vector<Stream*> joined;  // by waiting for an event of one that is captured
    bool lost = false;            // by a call that may not be made meanwhile
};

struct Stream {
    bool blocking;      // waits for the legacy default stream, and is waited for
    int priority = 0;
    unsigned flags = 0;
    std::shared_ptr<Capture> capture = nullptr;
    unsigned asked = 0, waited = 0;  // while captured: how often it was asked, and up to where another one waits for it
    Work last = nullptr;  // null or done: idle
    bool busy() const { return last && !last->done; }
};

struct Event : std::enable_shared_from_this<Event> {
    Stream* captured_in = nullptr;  // and not recorded, when that stream had been
    unsigned asked = 0;  // asked so often
    unsigned records = 0;
    Work recorded;
    uint64_t time = 0;
    bool timed = true;
};

Stream* stream_of(cudaStream_t handle);  // null if there is none such
Stream* new_stream(bool blocking, int priority);
bool forget_stream(Stream* stream);  // its work is still done; false if it is one of the default streams

// Puts work behind what the stream already holds.
Work enqueue(Stream& stream, std::function<cudaError_t()> act);
Work enqueue(Stream& stream, Launch launch);
// For a call that may not be made while such a stream is captured; false if none is.
bool lose_captures(bool (*such)(const Stream& captured));
void wait_in_stream(Stream& stream, const Work& other);

// Works until `work` is done, or everything if it is null. What went wrong stays in `sticky`.
void finish(const Work& work);
// Works for a while, as a device does while the host asks.
void work_for_a_while();

extern cudaError_t sticky;  // the error after which the context is of no more use
void forget_work();

}  // namespace emulator
