// Events.

#include <algorithm>
#include <memory>

#include "captures.hpp"
#include "clock.hpp"
#include "events.hpp"

using namespace emulator;

template <class F>
static cudaError_t with_event(cudaEvent_t handle, F&& body) {
    return enter([&] {
        if (events.orphaned(handle)) return cudaErrorContextIsDestroyed;
        const std::shared_ptr<device_event> event = events.find(handle);
        return event ? body(*event) : cudaErrorInvalidResourceHandle;
    });
}

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return enter([=] {
        constexpr unsigned known =
            cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!handle || flags & ~known ||
            (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
            return cudaErrorInvalidValue;
        auto event = std::make_shared<device_event>();
        event->timed = !(flags & cudaEventDisableTiming);
        *handle = events.add(std::move(event));
        return cudaSuccess;
    });
}
cudaError_t cudaEventCreate(cudaEvent_t* handle) { return cudaEventCreateWithFlags(handle, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return with_event(handle, [=](device_event&) {  // work that is to note its time keeps it
        return events.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    return with_event(handle, [=](device_event& event) {
        device_stream* stream = stream_of(stream_handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        event.captured_in = stream->capture ? stream : nullptr;
        if (stream->capture) {
            event.asked = stream->asked;
            return cudaSuccess;
        }
        const unsigned number = ++event.records;
        event.recorded = enqueue(*stream, [number, noted = events.find(handle)] {
            if (noted->records == number) noted->time = host_nanoseconds() + device_ticks() / 2;
            return cudaSuccess;
        });
        return cudaSuccess;
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event(handle, [](device_event& event) {
        if (event.captured_in && spoils(*event.captured_in)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        return event.recorded && !event.recorded->done ? finished(event.recorded) : cudaSuccess;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event(handle, [](device_event& event) {
        if (event.captured_in && spoils(*event.captured_in)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        work_for_a_while();
        return sticky != cudaSuccess                     ? sticky
               : event.recorded && !event.recorded->done ? cudaErrorNotReady
                                                         : cudaSuccess;
    });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
    return with_event(event_handle, [=](device_event& event) {
        device_stream* stream = stream_of(handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        if (device_stream* other = event.captured_in; other && other->capture) {
            if (stream->capture && stream->capture != other->capture) {
                stream->capture->lost = other->capture->lost = true;
                return cudaErrorStreamCaptureMerge;
            }
            if (!stream->capture) {  // it joins
                stream->capture = other->capture;
                stream->capture->joined.push_back(stream);
                stream->asked = stream->waited = 0;
            }
            ++stream->asked;
            other->waited = std::max(other->waited, event.asked);
            return cudaSuccess;
        }
        if (stream->capture) {  // of work that is not in the graph
            stream->capture->lost = true;
            return cudaErrorStreamCaptureIsolation;
        }
        wait_in_stream(*stream, event.recorded);
        return cudaSuccess;
    });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second) {
    if (!milliseconds) return refuse(cudaErrorInvalidValue);
    return with_event(first, [=](device_event& from) {
        return with_event(second, [&](device_event& to) {
            for (const device_event* event : {&from, &to})
                if (event->captured_in && event->captured_in->capture)
                    return cudaErrorCapturedEvent;
            if (!from.recorded || !to.recorded || !from.timed || !to.timed)
                return cudaErrorInvalidResourceHandle;
            if (!from.recorded->done || !to.recorded->done) return cudaErrorNotReady;
            *milliseconds = float(double(int64_t(to.time - from.time)) * 1e-6);
            return cudaSuccess;
        });
    });
}

}  // extern "C"
