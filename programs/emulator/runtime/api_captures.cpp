// Graphs that streams capture.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "captures.hpp"
#include "graphs.hpp"

using namespace emulator;

static cudaError_t begin(device_stream& stream, cudaStreamCaptureMode mode,
                         const std::shared_ptr<task_graph>& given) {
    static unsigned long long captures;
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (stream.capture) return cudaErrorIllegalState;
    if (stream_of(nullptr) == &stream) return cudaErrorStreamCaptureUnsupported;
    stream.capture = std::make_shared<stream_capture>(
        stream_capture{&stream, mode, this_thread(), given ? given : std::make_shared<task_graph>(),
                       !given, ++captures});
    if (!given) register_graph(stream.capture->graph);
    stream.tail.clear();
    return cudaSuccess;
}

// A stream that joined has work that the origin does not wait for at the end.
static bool is_unjoined(const stream_capture& capture) {
    const std::vector<graph_edge>& whole = capture.origin->tail;
    return std::any_of(
        capture.joined.begin(), capture.joined.end(), [&](const device_stream* other) {
            return std::any_of(other->tail.begin(), other->tail.end(), [&](const graph_edge& edge) {
                return !comes_before(*edge.from, whole);
            });
        });
}

// Edges to nodes that a caller names; an error if one is none of the graph.
static cudaError_t read_edges(const task_graph& graph, const cudaGraphNode_t* nodes,
                              const cudaGraphEdgeData* data, size_t count,
                              std::vector<graph_edge>* edges) {
    if (count && !nodes) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
        const std::shared_ptr<graph_node> node = graph_nodes.find(nodes[i]);
        if (!node || node->graph != &graph) return cudaErrorInvalidValue;
        add_edge(*edges, {node.get(), data ? data[i] : cudaGraphEdgeData{}});
    }
    return cudaSuccess;
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    return with_stream(handle, [=](device_stream& stream) { return begin(stream, mode, nullptr); });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                          const cudaGraphNode_t* nodes,
                                          const cudaGraphEdgeData* data, size_t count,
                                          cudaStreamCaptureMode mode) {
    return with_stream(handle, [=](device_stream& stream) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph) return cudaErrorInvalidValue;
        std::vector<graph_edge> edges;
        cudaError_t error = read_edges(*graph, nodes, data, count, &edges);
        if (error == cudaSuccess) error = begin(stream, mode, graph);
        if (error == cudaSuccess) stream.tail = std::move(edges);
        return error;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!stream.capture) return graph ? cudaErrorIllegalState : cudaErrorInvalidValue;
        if (!graph && stream.capture->own) return cudaErrorInvalidValue;  // it would be lost
        if (stream.capture->origin != &stream) {
            spoils(stream);
            return cudaErrorStreamCaptureUnmatched;
        }
        if (stream.capture->mode != cudaStreamCaptureModeRelaxed &&
            stream.capture->thread != this_thread())
            return cudaErrorStreamCaptureWrongThread;
        const std::shared_ptr<stream_capture> capture = stream.capture;
        if (graph) *graph = nullptr;
        const bool unjoined = is_unjoined(*capture);
        end_capture(*capture);
        if (capture->lost || unjoined) {
            if (capture->own) forget_graph(*capture->graph);
            return capture->lost ? cudaErrorStreamCaptureInvalidated
                                 : cudaErrorStreamCaptureUnjoined;
        }
        if (graph) *graph = capture->graph->handle;
        return cudaSuccess;
    });
}
static cudaStreamCaptureStatus status_of(const device_stream& stream) {
    if (!stream.capture) return cudaStreamCaptureStatusNone;
    return stream.capture->lost ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!status) return cudaErrorInvalidValue;
        if (spoils_implicitly(stream)) return cudaErrorStreamCaptureImplicit;
        *status = status_of(stream);
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** data,
                                     size_t* count) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!status) return cudaErrorInvalidValue;
        if (spoils_implicitly(stream)) return cudaErrorStreamCaptureImplicit;
        *status = status_of(stream);
        if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
        static std::vector<cudaGraphNode_t> found;  // until the next call
        static std::vector<cudaGraphEdgeData> found_data;
        found.clear();
        found_data.clear();
        bool plain = true;
        for (const graph_edge& edge : stream.tail) {
            found.push_back(edge.from->handle);
            found_data.push_back(edge.data);
            plain = plain && edge.data.type == 0 && edge.data.from_port == 0;
        }
        if (nodes && !data && !plain) return cudaErrorLossyQuery;
        if (id) *id = stream.capture->id;
        if (graph) *graph = stream.capture->graph->handle;
        if (nodes) *nodes = found.data();
        if (data) *data = found_data.data();
        if (count) *count = found.size();
        return cudaSuccess;
    });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* data, size_t count,
                                                unsigned flags) {
    return with_stream(handle, [=](device_stream& stream) {
        if (!stream.capture) return cudaErrorIllegalState;
        if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
        std::vector<graph_edge> edges;
        if (flags == cudaStreamAddCaptureDependencies) edges = stream.tail;
        const cudaError_t error = read_edges(*stream.capture->graph, nodes, data, count, &edges);
        if (error == cudaSuccess) stream.tail = std::move(edges);
        return error;
    });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return enter([=] {
        if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
            return cudaErrorInvalidValue;
        std::swap(*mode, mode_of_thread());
        return cudaSuccess;
    });
}

}  // extern "C"
