#include "captures.hpp"

namespace emulator {

// The legacy default stream waits for blocking streams, which cannot be while one of them is
// captured.
bool spoils_implicitly(device_stream& stream) {
    return &stream == stream_of(nullptr) &&
           lose_captures([](const device_stream& captured) { return captured.blocking; });
}

// Calls that may make the device wait spoil captures, unless these are relaxed.
bool spoils_by_waiting() {
    return lose_captures([](const device_stream& captured) {
        const stream_capture& capture = *captured.capture;
        return capture.mode == cudaStreamCaptureModeGlobal ||
               (capture.mode == cudaStreamCaptureModeThreadLocal &&
                capture.thread == this_thread());
    });
}

// The host may not wait for what is only noted down; who tries loses the capture.
bool spoils(device_stream& stream) {
    if (stream.capture) stream.capture->lost = true;
    return bool(stream.capture);
}

void end_capture(stream_capture& capture) {
    for (device_stream* stream : capture.joined) stream->capture = nullptr;
    capture.origin->capture = nullptr;
}

}  // namespace emulator
