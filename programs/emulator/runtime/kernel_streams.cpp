#include "kernel_streams.hpp"

#include <utility>

#include "events.hpp"
#include "faults.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

handle_registry<kernel_stream, cudaStream_t> kernel_streams;
handle_registry<kernel_event, cudaEvent_t> kernel_events;

const std::shared_ptr<block_streams>& own_streams() {
    std::shared_ptr<block_streams>& streams = current_block->streams;
    if (!streams) {
        streams = std::make_shared<block_streams>();
        streams->null_stream.owner = streams;
    }
    return streams;
}

bool is(cudaStream_t stream, abi::launch_stream which) { return uintptr_t(stream) == which; }

// Streams that stand for a way to launch hold nothing, and cannot be waited for.
bool stands_for_a_way(cudaStream_t stream) {
    return is(stream, abi::launch_at_end) || is(stream, abi::launch_apart);
}

template <class T>
T& own(const std::shared_ptr<T>& found, bool of_host, const char* what, const std::string& place) {
    if (found && found->owner.lock() == own_streams()) return *found;
    fault(cudaErrorLaunchFailure, place,
          std::string("uses ") + what +
              (found     ? " that another block made: only its own block may use it"
               : of_host ? " of the host: a kernel may only use those that its block made"
                         : " that does not exist"));
}

kernel_event& kernel_event_of(cudaEvent_t handle, const std::string& place) {
    return own(kernel_events.find(handle), bool(events.find(handle)), "an event", place);
}

cudaError_t nothing() { return cudaSuccess; }

}  // namespace

kernel_stream& kernel_stream_of(cudaStream_t handle, const std::string& place) {
    if (is(handle, abi::launch_null)) return own_streams()->null_stream;
    if (is(handle, abi::launch_per_thread)) return own_streams()->of_threads[current_thread];
    const bool of_host = is(handle, abi::launch_legacy) || stream_of(handle);
    return own(kernel_streams.find(handle), of_host, "a stream", place);
}

std::shared_ptr<work_item> put_in(cudaStream_t where, const std::string& place, put_work put) {
    auto made = std::make_shared<work_item>();
    const auto note = [made, put = std::move(put)](const std::vector<work_item>& after) {
        return *made = put(after);
    };
    if (is(where, abi::launch_at_end)) {
        running_work->tails.push_back(note);
        return made;
    }
    if (is(where, abi::launch_apart)) {
        running_work->children.push_back(note({}));
        return made;
    }
    kernel_stream& stream = kernel_stream_of(where, place);
    running_work->children.push_back(note(stream.before));
    stream.before = {*made};
    return made;
}

// The tails begin one after another, each after what the one before has launched.
bool wait_for_children(const work_item& work) {
    if (work->children.empty() && work->tails.empty()) return false;
    work->ended = true;
    work->launch = nullptr;
    work->act = nothing;
    work->after.clear();
    for (const work_item& child : work->children)
        if (!child->done) work->after.push_back(child);
    work->children.clear();
    for (const auto& tail : std::exchange(work->tails, {})) work->after = {tail(work->after)};
    return true;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

// A stream of a block orders only its own work, whatever the flags say.
int __emu_stream_create(cudaStream_t* made, unsigned flags) {
    if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *made = kernel_streams.add(std::make_shared<kernel_stream>(kernel_stream{own_streams()}));
    return cudaSuccess;
}
int __emu_stream_destroy(cudaStream_t handle, const char* file, int line) {
    const std::string place = place_text(file, line);
    if (uintptr_t(handle) <= abi::launch_apart) return cudaErrorInvalidValue;
    kernel_stream_of(handle, place);
    kernel_streams.remove(handle);
    return cudaSuccess;
}
int __emu_stream_wait(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags,
                      const char* file, int line) {
    const std::string place = place_text(file, line);
    if (flags || stands_for_a_way(handle)) return cudaErrorInvalidValue;
    const kernel_event& event = kernel_event_of(event_handle, place);
    kernel_stream& stream = kernel_stream_of(handle, place);
    for (const work_item& work : event.recorded)
        if (!work->done) stream.before.push_back(work);
    return cudaSuccess;
}
int __emu_event_create(cudaEvent_t* made, unsigned flags) {
    if (flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
    *made = kernel_events.add(std::make_shared<kernel_event>(kernel_event{own_streams()}));
    return cudaSuccess;
}
int __emu_event_record(cudaEvent_t handle, cudaStream_t stream, const char* file, int line) {
    const std::string place = place_text(file, line);
    if (stands_for_a_way(stream)) return cudaErrorInvalidValue;
    kernel_event& event = kernel_event_of(handle, place);
    event.recorded = kernel_stream_of(stream, place).before;
    return cudaSuccess;
}
int __emu_event_destroy(cudaEvent_t handle, const char* file, int line) {
    kernel_event_of(handle, place_text(file, line));
    kernel_events.remove(handle);
    return cudaSuccess;
}

}  // extern "C"
