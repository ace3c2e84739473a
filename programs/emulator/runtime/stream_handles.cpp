// The streams that there are.

#include <utility>

#include "handles.hpp"
#include "streams.hpp"

namespace emulator {

device_stream legacy_stream{.blocking = true};
std::vector<work_item> left_over;

static handle_registry<device_stream, cudaStream_t> streams;
static unsigned stream_numbers = 2;  // given out: the default streams have the first two

unsigned stream_numbers_given() { return stream_numbers; }

void for_each_blocking_stream(const std::function<void(device_stream&)>& act) {
    streams.for_each([&](device_stream& stream) {
        if (stream.blocking) act(stream);
    });
}

// Each thread of the host has a default stream of its own, if it wants.
static device_stream& stream_of_this_thread() {
    thread_local cudaStream_t own;
    static bool first = true;
    if (!streams.find(own)) {
        own = new_stream(true, 0);
        if (std::exchange(first, false)) {  // it has had its number from the beginning
            streams.find(own)->number = 1;
            --stream_numbers;
        }
    }
    return *streams.find(own);
}

device_stream* stream_of(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &legacy_stream;
    if (handle == cudaStreamPerThread) return &stream_of_this_thread();
    return streams.find(handle).get();
}

cudaStream_t new_stream(bool blocking, int priority) {
    auto stream = std::make_shared<device_stream>();
    stream->blocking = blocking;
    stream->priority = priority;
    stream->number = stream_numbers++;
    stream->flags = blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return streams.add(std::move(stream));
}

bool forget_stream(cudaStream_t handle) {
    const std::shared_ptr<device_stream> stream = streams.find(handle);
    if (!stream) return false;
    if (stream->blocking && stream->busy()) left_over.push_back(stream->last);
    return streams.remove(handle);
}

bool lose_captures(bool (*such)(const device_stream& captured)) {
    bool lost = false;
    const auto look_at = [&](device_stream& stream) {
        if (stream.capture && such(stream)) lost = stream.capture->lost = true;
    };
    streams.for_each(look_at);
    return lost;
}

}  // namespace emulator
