// Which launches does an access policy window apply to? To those that follow in its
// stream, or to the one that has it as an attribute. Nodes of captured graphs tell.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Adds 1 to each element.
/// @param n  number of elements
/// @param x  n ints in device memory
__global__ void increment(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++x[i];
}

// [node]
/// Captures one launch, and returns the window that its node has.
/// @param stream  the stream to capture
/// @param launch  callable that enqueues one kernel into it
template <class Launch>
cudaAccessPolicyWindow window_of(cudaStream_t stream, Launch launch) {
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch();
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::owned_graph graph(captured);
    cudaGraphNode_t node = nullptr;
    std::size_t nodes = 1;
    lockstep::check(cudaGraphGetNodes(graph, &node, &nodes));
    cudaKernelNodeAttrValue attribute{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    return attribute.accessPolicyWindow;
}
// [/node]

int main() {
    lockstep::require_device(80);
    constexpr int n = 1 << 20;
    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream, other;

    cudaAccessPolicyWindow window{};
    window.base_ptr = d_x.data();
    window.num_bytes = d_x.bytes();
    window.hitRatio = 1;
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;

    const auto plain_in = [&](cudaStream_t where) {
        increment<<<n / 256, 256, 0, where>>>(n, d_x.data());
        lockstep::check(cudaGetLastError());
    };
    const auto with_attribute = [&] {
        // [attribute]
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeAccessPolicyWindow;
        attribute.val.accessPolicyWindow = window;
        cudaLaunchConfig_t config{};
        config.gridDim = n / 256;
        config.blockDim = 256;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        lockstep::check(cudaLaunchKernelEx(&config, increment, n, d_x.data()));
        // [/attribute]
    };
    std::printf("%-36s%s\n", "kernel", "window of its node, bytes");
    const auto show = [](const char* label, const cudaAccessPolicyWindow& found) {
        std::printf("%-36s%zu\n", label, found.num_bytes);
        return found.num_bytes;
    };
    bool right = true;
    // [cases]
    show("plain", window_of(stream, [&] { plain_in(stream); }));
    show("attribute of the launch", window_of(stream, with_attribute));
    show("plain, after it", window_of(stream, [&] { plain_in(stream); }));

    cudaStreamAttrValue value{};
    value.accessPolicyWindow = window;
    lockstep::check(
        cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    show("plain, window on the stream", window_of(stream, [&] { plain_in(stream); }));
    show("plain, another stream", window_of(other, [&] { plain_in(other); }));
    // [/cases]
    for (const int x : d_x.to_host()) right = right && x == 5;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
