// How calls get on with streams that are being captured.
#pragma once

#include "entry.hpp"

namespace emulator {

// Each says whether it made a capture invalid.
bool spoils_implicitly(device_stream& stream);
bool spoils_by_waiting();
bool spoils(device_stream& stream);
// What a thread says about calls of its own while others capture.
cudaStreamCaptureMode& mode_of_thread();
void end_capture(stream_capture& capture);
// Puts a node into the graph that a stream's work becomes.
void capture_node(device_stream& stream, const std::shared_ptr<graph_node>& node);

// A handle that is none is an error of the call.
template <class F>
cudaError_t with_stream(cudaStream_t handle, F&& body) {
    return enter([&] {
        device_stream* stream = stream_of(handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        return stream->orphan ? cudaErrorContextIsDestroyed : body(*stream);
    });
}

// The same, for functions that put work into the stream or wait for it.
template <class F>
cudaError_t in_stream(cudaStream_t handle, F&& body) {
    return with_stream(handle, [&](device_stream& stream) {
        if (stream.capture && stream.capture->lost) return cudaErrorStreamCaptureInvalidated;
        return spoils_implicitly(stream) ? cudaErrorStreamCaptureImplicit : body(stream);
    });
}

// For functions that may make the device wait.
template <class F>
cudaError_t between_captures(F&& body) {
    return enter([&] { return spoils_by_waiting() ? cudaErrorStreamCaptureUnsupported : body(); });
}

}  // namespace emulator
