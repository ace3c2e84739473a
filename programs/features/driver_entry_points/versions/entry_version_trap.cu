// What happens if the version of the lookup is older than the pointer's type? Here
// cuStreamGetCaptureInfo is called through the type of CUDA 11.3, which has six
// parameters. The function of 10.1 knows the first three. It fills those, returns
// success, and never writes the others.

#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing; a node for the graph.
__global__ void nothing() {}

// [ask]
/// What a lookup's function says about a stream that is being captured.
struct answer {
    cudaError_t returned;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph graph = nullptr;        ///< the graph that grows
    std::size_t dependencies = 99;  ///< what the next node would depend on
};

/// Asks through the pointer type of CUDA 11.3.
/// @param stream   a stream that is being captured
/// @param version  which form of the function to look up
answer ask(cudaStream_t stream, unsigned version) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lockstep::check(cudaGetDriverEntryPointByVersion(
        "cuStreamGetCaptureInfo", &address, version, cudaEnableLegacyStream, &found));
    if (found != cudaDriverEntryPointSuccess) lockstep::check(cudaErrorSymbolNotFound);
    const auto info = reinterpret_cast<PFN_cuStreamGetCaptureInfo_v11030>(address);

    answer now;
    cuuint64_t id = 0;
    const CUgraphNode* nodes = nullptr;
    now.returned = static_cast<cudaError_t>(
        info(stream, &now.status, &id, &now.graph, &nodes, &now.dependencies));
    return now;
}
// [/ask]

int main() {
    lockstep::require_device();
    // [capture]
    const lockstep::owned_stream stream;
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    nothing<<<1, 1, 0, stream>>>();
    lockstep::check(cudaGetLastError());
    const answer matching = ask(stream, 11030);
    const answer older = ask(stream, 10010);
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/capture]
    lockstep::check(cudaGraphDestroy(graph));

    const auto show = [](const char* const* labels, const answer& now) {
        lockstep::report(labels[0], cudaGetErrorName(now.returned));
        lockstep::report(labels[1], now.status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
        lockstep::report(labels[2], now.graph ? "written" : "null, as before");
        lockstep::report(labels[3], now.dependencies);
    };
    const char* of_11030[] = {"lookup 11030: returned", "lookup 11030: capturing",
                              "lookup 11030: graph", "lookup 11030: dependencies"};
    const char* of_10010[] = {"lookup 10010: returned", "lookup 10010: capturing",
                              "lookup 10010: graph", "lookup 10010: dependencies"};
    show(of_11030, matching);
    show(of_10010, older);
    return matching.returned == cudaSuccess && matching.dependencies == 1 &&
                   older.returned == cudaSuccess && older.dependencies == 99
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
