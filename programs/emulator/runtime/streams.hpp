// Streams, events and the order of their work.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "host_uses.hpp"
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
    bool at_begin = false;  // when the primary's blocks have begun, triggered or not
    bool done = false;
    bool on_host = false;  // `act` is a function of the program: it may wait for other threads
    bool begun = false;    // such a one
    uint64_t host_uses = host_uses_so_far();  // before it was put here
    bool even_after_errors = false;  // is carried out though the context is of no more use
    bool ended = false;  // a kernel all of whose blocks have, perhaps not its children
    std::vector<std::shared_ptr<stream_operation>> children = {};  // that a kernel has launched
    std::vector<std::function<std::shared_ptr<stream_operation>(
        const std::vector<std::shared_ptr<stream_operation>>& after)>>
        tails = {};  // what it has launched to be put after all these
};
using work_item = std::shared_ptr<stream_operation>;

// Up to which of its works each stream is known to have come.
using stream_clock = std::map<unsigned, uint64_t>;
void merge(stream_clock& clock, const stream_clock& other);

struct graph_node;
struct green_context;
struct task_graph;
struct graph_edge {  // to what a node depends on, and in which way
    graph_node* from;
    cudaGraphEdgeData data = {};
};

struct device_stream;

// What streams are asked to do while they are captured becomes a graph.
struct stream_capture {
    device_stream* origin;
    cudaStreamCaptureMode mode;
    const void* thread;  // that began it
    std::shared_ptr<task_graph> graph;
    bool own = true;  // the graph was made for it
    unsigned long long id = 0;
    std::vector<device_stream*> joined = {};  // by waiting for an event of one that is captured
    bool lost = false;  // by a call that may not be made meanwhile
    bool over = false;
};

struct device_stream {
    bool blocking;  // waits for the legacy default stream, and is waited for
    int priority = 0;
    unsigned flags = 0;
    std::shared_ptr<stream_capture> capture = nullptr;
    std::vector<graph_edge> tail = {};  // what its next node depends on, while it is captured
    work_item last = nullptr;  // null or done: idle
    unsigned number = 0;       // its own, in clocks
    stream_clock clock = {};   // what its next work comes after
    std::map<int, cudaLaunchAttributeValue> of_memory = {};  // attributes that were set
    std::shared_ptr<green_context> green = nullptr;   // on whose SMs its kernels run
    bool orphan = false;                                      // that context is no more
    bool busy() const { return last && !last->done; }
};

struct device_event {
    std::shared_ptr<stream_capture> captured = nullptr;  // and not recorded
    std::vector<graph_edge> tail = {};  // the nodes that it stands for
    unsigned records = 0;
    work_item recorded;
    stream_clock clock = {};  // of the stream, when it was recorded
    uint64_t time = 0;
    bool timed = true;
};

device_stream* stream_of(cudaStream_t handle);  // null if there is none such
cudaStream_t new_stream(bool blocking, int priority);
// Its work is still done; false if it is none, or one of the default streams.
bool forget_stream(cudaStream_t handle);
// For the queue of work alone:
extern device_stream legacy_stream;
// Those that wait for the legacy default stream.
void for_each_blocking_stream(const std::function<void(device_stream&)>& act);
extern std::vector<work_item> left_over;  // of streams that are no more: that one waits for it
unsigned stream_numbers_given();

// Puts work after what the stream already holds.
work_item enqueue(device_stream& stream, std::function<cudaError_t()> act);
work_item enqueue(device_stream& stream, kernel_launch launch);
work_item enqueue_after(device_stream& stream, std::function<cudaError_t()> act,
                        const std::vector<work_item>& after);
// The same, before the kernel that the stream holds last has ended: when all its blocks have begun,
// or when it lets others begin.
work_item enqueue_early(device_stream& stream, std::function<cudaError_t()> act, bool at_begin);
// Work that is in no stream: only what it follows decides when it begins.
work_item put_apart(std::function<cudaError_t()> act, const std::vector<work_item>& after,
                    int priority);
work_item put_apart(kernel_launch launch, const std::vector<work_item>& after, int priority,
                    const work_item& primary);
// How much the host had used memory when the work under way was put here.
extern uint64_t host_uses_before;
extern work_item running_work;  // the kernel that runs
// A kernel whose blocks have ended is not over before its children, and then its tails. False if it
// has none.
bool wait_for_children(const work_item& work);
// After the kernel that runs has given way: what it asks for needs more room than its stack has.
void soon(std::function<void()> act);
// For a call that may not be made while such a stream is captured; false if none is.
bool lose_captures(bool (*such)(const device_stream& captured));
void wait_in_stream(device_stream& stream, const work_item& other);

// Works until `work` is done, or everything if it is null. What went wrong stays in `sticky`.
void finish(work_item work);
// Works for a while, as a device does while the host asks.
void work_for_a_while();

extern cudaError_t sticky;  // the error after which the context is of no more use
void forget_work();

// What the host has seen to be done, by waiting or asking.
void host_saw(const stream_clock& clock);
void host_saw_all();
const stream_clock& seen_by_host();

}  // namespace emulator
