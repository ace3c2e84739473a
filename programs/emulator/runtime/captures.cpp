#include "captures.hpp"

#include "graphs.hpp"

namespace emulator {

// The legacy default stream waits for blocking streams, which cannot be while one of them is
// captured.
bool spoils_implicitly(device_stream& stream) {
    return &stream == stream_of(nullptr) &&
           lose_captures([](const device_stream& captured) { return captured.blocking; });
}

cudaStreamCaptureMode& mode_of_thread() {
    static thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    return mode;
}

// Calls that may make the device wait spoil captures, unless these, or the thread, are relaxed.
bool spoils_by_waiting() {
    return lose_captures([](const device_stream& captured) {
        const stream_capture& capture = *captured.capture;
        if (mode_of_thread() == cudaStreamCaptureModeRelaxed) return false;
        return (capture.mode == cudaStreamCaptureModeGlobal &&
                (mode_of_thread() == cudaStreamCaptureModeGlobal ||
                 capture.thread == this_thread())) ||
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
    capture.over = true;
    for (device_stream* stream : capture.joined) {
        stream->tail.clear();
        stream->capture = nullptr;
    }
    capture.origin->tail.clear();
    capture.origin->capture = nullptr;
}

void capture_node(device_stream& stream, const std::shared_ptr<graph_node>& node) {
    node->after = stream.tail;
    if (stream.priority != 0 && node->type == cudaGraphNodeTypeKernel)
        node->attributes[cudaLaunchAttributePriority].priority = stream.priority;
    if (node->type == cudaGraphNodeTypeKernel)
        node->attributes.insert(stream.of_memory.begin(), stream.of_memory.end());
    add_node(*stream.capture->graph, node);
    stream.tail = {{node.get()}};
}

}  // namespace emulator
