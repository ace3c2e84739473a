// Does the driver API update graphs of the runtime? It does: cudaGraph_t and CUgraph
// are the same type, and so are their executable forms. A library that captured with
// one API can hand its graph to the other.

#include <cstdlib>
#include <type_traits>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores a number.
/// @param number  what is stored
/// @param x       one int in device memory, written
__global__ void store(int number, int* x) { *x = number; }

static_assert(std::is_same_v<cudaGraph_t, CUgraph>);
static_assert(std::is_same_v<cudaGraphExec_t, CUgraphExec>);

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(1);
    const lockstep::owned_stream stream;
    const auto capture = [&](int number) {
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        store<<<1, 1, 0, stream>>>(number, d_x.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        return graph;
    };
    // [update]
    const cudaGraph_t first = capture(1), second = capture(2);
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, first, 0));
    CUgraphExecUpdateResultInfo info{};
    lockstep::check(cuGraphExecUpdate(executable, second, &info));
    lockstep::check(cuGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/update]
    const int stored = d_x.to_host()[0];
    lockstep::report("updated", info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    lockstep::report("stored", stored);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(first));
    lockstep::check(cudaGraphDestroy(second));
    return stored == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
