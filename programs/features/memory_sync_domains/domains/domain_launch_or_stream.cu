// A stream and a launch both name a logical domain: which one counts? The launch's, by
// this run. Each launch is captured, and the attribute of its node is read. The stream
// has no domain of its own at first, then default, and then remote.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds one to a number.
/// @param x  one int in device memory, changed
__global__ void raise_once(int* x) { ++*x; }

constexpr auto in_default = cudaLaunchMemSyncDomainDefault;
constexpr auto in_remote = cudaLaunchMemSyncDomainRemote;

/// Captures a launch, runs the graph, and returns the domain of its node.
/// @param stream  to capture
/// @param domain  attribute of the launch, or null for none
/// @param x       one int in device memory, raised by one
cudaLaunchMemSyncDomain captured_domain(cudaStream_t stream,
                                        const cudaLaunchMemSyncDomain* domain, int* x) {
    // [capture]
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    if (domain) attribute.val.memSyncDomain = *domain;
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = domain ? 1 : 0;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaLaunchKernelEx(&config, raise_once, x));
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &graph));

    cudaGraphNode_t node{};
    std::size_t nodes = 1;
    lockstep::check(cudaGraphGetNodes(graph, &node, &nodes));
    cudaLaunchAttributeValue found{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaLaunchAttributeMemSyncDomain, &found));
    // [/capture]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return found.memSyncDomain;
}

int main() {
    lockstep::require_device(90);
    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> x(1);
    x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());

    // [ways]
    const auto try_launches = [&](const char* of_stream) {
        const auto print = [&](const char* of_launch,
                               const cudaLaunchMemSyncDomain* domain) {
            const auto found = captured_domain(stream, domain, x.data());
            std::printf("%-10s %-10s %s\n", of_stream, of_launch,
                        found == in_remote ? "remote" : "default");
        };
        print("none", nullptr);
        print("default", &in_default);
        print("remote", &in_remote);
    };
    std::printf("%-10s %-10s %s\n", "stream", "launch", "node");
    try_launches("none");
    for (const auto domain : {in_default, in_remote}) {
        cudaLaunchAttributeValue value{};
        value.memSyncDomain = domain;
        lockstep::check(
            cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &value));
        try_launches(domain == in_remote ? "remote" : "default");
    }
    // [/ways]
    const int launches = x.to_host()[0];
    lockstep::report("launches", launches);
    return launches == 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
