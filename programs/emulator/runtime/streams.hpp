// Streams, events and the order of their work.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "launch.hpp"

namespace emulator {

struct stream_operation {
    std::function<cudaError_t()> act;          // a copy, a note; or
    std::unique_ptr<kernel_launch> launch;            // a kernel, and
    running_launch* execution = nullptr;  // when it has begun
    std::vector<std::shared_ptr<stream_operation>> after;
    std::shared_ptr<stream_operation> primary;  // after which it may begin early
    int priority = 0;
    bool kernel = false;
    bool done = false;
    bool even_after_errors = false;  // is carried out though the context is of no more use
};
using work_item = std::shared_ptr<stream_operation>;

struct captured_operation {  // of a graph
    std::function<cudaError_t()> act;
    std::shared_ptr<kernel_launch> launch;
};

struct device_stream;

// What streams are asked to do while they are captured, in the order of the asking: a graph runs in
// that order.
struct stream_capture {
    device_stream* origin;
    cudaStreamCaptureMode mode;
    const void* thread;  // that began it
    std::vector<captured_operation> operations;
    std::vector<device_stream*> joined;  // by waiting for an event of one that is captured
    bool lost = false;            // by a call that may not be made meanwhile
};

struct device_stream {
    bool blocking;      // waits for the legacy default stream, and is waited for
    int priority = 0;
    unsigned flags = 0;
    std::shared_ptr<stream_capture> capture = nullptr;
    unsigned asked = 0, waited = 0;  // while captured: how often it was asked, and up to where
                                     // another one waits for it
    work_item last = nullptr;  // null or done: idle
    bool busy() const { return last && !last->done; }
};

struct device_event {
    device_stream* captured_in = nullptr;  // and not recorded, when that stream had been
    unsigned asked = 0;  // asked so often
    unsigned records = 0;
    work_item recorded;
    uint64_t time = 0;
    bool timed = true;
};

device_stream* stream_of(cudaStream_t handle);  // null if there is none such
cudaStream_t new_stream(bool blocking, int priority);
// Its work is still done; false if it is none, or one of the default streams.
bool forget_stream(cudaStream_t handle);

// Puts work after what the stream already holds.
work_item enqueue(device_stream& stream, std::function<cudaError_t()> act);
work_item enqueue(device_stream& stream, kernel_launch launch);
// For a call that may not be made while such a stream is captured; false if none is.
bool lose_captures(bool (*such)(const device_stream& captured));
void wait_in_stream(device_stream& stream, const work_item& other);

// Works until `work` is done, or everything if it is null. What went wrong stays in `sticky`.
void finish(const work_item& work);
// Works for a while, as a device does while the host asks.
void work_for_a_while();

extern cudaError_t sticky;  // the error after which the context is of no more use
void forget_work();

}  // namespace emulator
