// Which domain does a captured kernel run in? Its node takes the logical domain of the
// launch and the map of the stream at the time of the capture. The stream into which
// the graph is launched has another map, and that changes nothing in the node.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;

/// Adds one to each element.
/// @param x  n ints in device memory, changed
__global__ void raise_captured(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

int main() {
    lockstep::require_device(90);
    const lockstep::owned_stream captured, other;
    lockstep::device_buffer<int> x(n);
    x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [capture]
    cudaLaunchAttributeValue map{};
    map.memSyncDomainMap.default_ = 2;  // capability 9.0 has four domains
    map.memSyncDomainMap.remote = 3;
    lockstep::check(
        cudaStreamSetAttribute(captured, cudaLaunchAttributeMemSyncDomainMap, &map));
    cudaLaunchAttribute remote{};
    remote.id = cudaLaunchAttributeMemSyncDomain;
    remote.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(n / 256);
    config.blockDim = dim3(256);
    config.stream = captured;
    config.attrs = &remote;
    config.numAttrs = 1;
    lockstep::check(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaLaunchKernelEx(&config, raise_captured, x.data()));
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamEndCapture(captured, &graph));
    // [/capture]

    // [node]
    cudaGraphNode_t node{};
    std::size_t nodes = 1;
    lockstep::check(cudaGraphGetNodes(graph, &node, &nodes));
    cudaLaunchAttributeValue domain{}, node_map{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaLaunchAttributeMemSyncDomain, &domain));
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaLaunchAttributeMemSyncDomainMap, &node_map));
    // [/node]

    // [run]
    map.memSyncDomainMap.default_ = 0;  // of the stream that launches: not used
    map.memSyncDomainMap.remote = 0;
    lockstep::check(
        cudaStreamSetAttribute(other, cudaLaunchAttributeMemSyncDomainMap, &map));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, other));
    lockstep::check(cudaStreamSynchronize(other));
    // [/run]
    const auto wrong = lockstep::count_mismatches(x.to_host(), std::vector<int>(n, 1));
    const bool is_remote = domain.memSyncDomain == cudaLaunchMemSyncDomainRemote;
    lockstep::report("node: logical domain", is_remote ? "remote" : "default");
    lockstep::report("node: default is mapped to",
                     int(node_map.memSyncDomainMap.default_));
    lockstep::report("node: remote is mapped to",
                     int(node_map.memSyncDomainMap.remote));
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return is_remote && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
