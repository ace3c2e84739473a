// Events.

#include <algorithm>
#include <memory>

#include "captures.hpp"
#include "error_log.hpp"
#include "events.hpp"
#include "graphs.hpp"
#include "pools.hpp"

using namespace emulator;

template <class F>
static cudaError_t with_event(cudaEvent_t handle, F&& body) {
    return enter([&] {
        if (events.orphaned(handle)) return cudaErrorContextIsDestroyed;
        const std::shared_ptr<device_event> event = events.find(handle);
        return event ? body(*event) : cudaErrorInvalidResourceHandle;
    });
}

// Recorded in a stream that is being captured.
static bool is_captured(const device_event& event) {
    return event.captured && !event.captured->over;
}
static bool spoils(const device_event& event) {
    if (is_captured(event)) event.captured->lost = true;
    return is_captured(event);
}

// An event in the graph itself: it is recorded, or waited for, whenever the graph runs.
static cudaError_t capture_event(device_stream& stream, cudaGraphNodeType type,
                                 cudaEvent_t handle) {
    const auto node = new_node(type);
    node->event = handle;
    node->noted = events.find(handle);
    capture_node(stream, node);
    return cudaSuccess;
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
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                     unsigned flags) {
    return with_event(handle, [=](device_event& event) {
        device_stream* stream = stream_of(stream_handle);
        if (flags & ~unsigned(cudaEventRecordExternal)) return cudaErrorInvalidValue;
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        if (stream->capture && flags)
            return capture_event(*stream, cudaGraphNodeTypeEventRecord, handle);
        event.captured = stream->capture;
        event.tail = stream->tail;
        if (stream->capture) return cudaSuccess;
        if (flags) return cudaErrorIllegalState;
        event.recorded = enqueue(*stream, note_time(events.find(handle), ++event.records));
        event.clock = stream->clock;
        return cudaSuccess;
    });
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    if (!handle)
        return enter([] {
            return log_refusal_by("cuEventRecord", cudaErrorInvalidResourceHandle,
                                  "Event handle is NULL");
        });
    return cudaEventRecordWithFlags(handle, stream_handle, cudaEventRecordDefault);
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event(handle, [](device_event& event) {
        if (spoils(event)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        const cudaError_t error =
            event.recorded && !event.recorded->done ? finished(event.recorded) : cudaSuccess;
        if (error == cudaSuccess) host_saw(event.clock);
        trim_pools();
        return error;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event(handle, [](device_event& event) {
        if (spoils(event)) return cudaErrorCapturedEvent;
        if (spoils_by_waiting()) return cudaErrorStreamCaptureUnsupported;
        work_for_a_while();
        if (sticky != cudaSuccess) return sticky;
        if (event.recorded && !event.recorded->done) return cudaErrorNotReady;
        host_saw(event.clock);
        return cudaSuccess;
    });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
    return with_event(event_handle, [=](device_event& event) {
        device_stream* stream = stream_of(handle);
        if (flags & ~unsigned(cudaEventWaitExternal)) return cudaErrorInvalidValue;
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (spoils_implicitly(*stream)) return cudaErrorStreamCaptureImplicit;
        if (stream->capture && flags)
            return capture_event(*stream, cudaGraphNodeTypeWaitEvent, event_handle);
        if (is_captured(event)) {
            if (stream->capture && stream->capture != event.captured) {
                stream->capture->lost = event.captured->lost = true;
                return cudaErrorStreamCaptureMerge;
            }
            if (!stream->capture) {  // it joins
                stream->capture = event.captured;
                stream->capture->joined.push_back(stream);
                stream->tail.clear();
            }
            for (const graph_edge& edge : event.tail) add_edge(stream->tail, edge);
            return cudaSuccess;
        }
        if (stream->capture) {  // of work that is not in the graph
            stream->capture->lost = true;
            return cudaErrorStreamCaptureIsolation;
        }
        wait_in_stream(*stream, event.recorded);
        merge(stream->clock, event.clock);
        return cudaSuccess;
    });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second) {
    if (!milliseconds) return refuse(cudaErrorInvalidValue);
    return with_event(first, [=](device_event& from) {
        return with_event(second, [&](device_event& to) {
            if (is_captured(from) || is_captured(to)) return cudaErrorCapturedEvent;
            if (!from.recorded || !to.recorded || !from.timed || !to.timed)
                return cudaErrorInvalidResourceHandle;
            if (!from.recorded->done || !to.recorded->done) return cudaErrorNotReady;
            *milliseconds = float(double(int64_t(to.time - from.time)) * 1e-6);
            return cudaSuccess;
        });
    });
}

}  // extern "C"
