// Graphs: what a stream captured, to be put into streams again.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "captures.hpp"
#include "handles.hpp"

namespace {

using namespace emulator;

struct captured_graph {
    std::vector<captured_operation> operations;
};
handle_registry<const captured_graph, cudaGraph_t> graphs;
handle_registry<const captured_graph, cudaGraphExec_t> instances;

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    return with_stream(handle, [=](device_stream& stream) {
        if (stream.capture) return cudaErrorIllegalState;
        if (stream_of(nullptr) == &stream) return cudaErrorStreamCaptureUnsupported;
        stream.capture =
            std::make_shared<stream_capture>(stream_capture{&stream, mode, this_thread(), {}, {}});
        return cudaSuccess;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!graph) return cudaErrorInvalidValue;
        if (!stream.capture) return cudaErrorIllegalState;
        if (stream.capture->origin != &stream) {
            spoils(stream);
            return cudaErrorStreamCaptureUnmatched;
        }
        if (stream.capture->mode != cudaStreamCaptureModeRelaxed &&
            stream.capture->thread != this_thread())
            return cudaErrorStreamCaptureWrongThread;
        const std::shared_ptr<stream_capture> capture = stream.capture;
        *graph = nullptr;
        const bool unjoined =
            std::any_of(capture->joined.begin(), capture->joined.end(),
                        [](const device_stream* other) { return other->waited < other->asked; });
        end_capture(*capture);
        if (capture->lost) return cudaErrorStreamCaptureInvalidated;
        if (unjoined) return cudaErrorStreamCaptureUnjoined;
        *graph = graphs.add(
            std::make_shared<captured_graph>(captured_graph{std::move(capture->operations)}));
        return cudaSuccess;
    });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t handle,
                                 unsigned long long) {
    return enter([=] {
        const std::shared_ptr<const captured_graph> graph = graphs.find(handle);
        if (!instance || !graph) return cudaErrorInvalidValue;
        *instance = instances.add(graph);  // which does not change
        return cudaSuccess;
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream_handle) {
    return in_stream(stream_handle, [=](device_stream& stream) {
        const std::shared_ptr<const captured_graph> graph = instances.find(instance);
        if (!graph) return cudaErrorInvalidValue;
        for (const captured_operation& captured : graph->operations) {
            if (captured.launch)
                enqueue(stream, kernel_launch(*captured.launch));
            else
                enqueue(stream, captured.act);
        }
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return look([=] { return graphs.remove(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    return look([=] { return instances.remove(instance) ? cudaSuccess : cudaErrorInvalidValue; });
}

}  // extern "C"
