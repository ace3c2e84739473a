// What can a setter not change in an executable graph? The kind of a copy, the shape of
// a two-dimensional copy or memory set, and the type of a node are fixed. Each such
// call is refused, and the executable graph still works as it did.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 64;

/// Does nothing.
__global__ void nothing() {}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(4 * n), d_y(4 * n);
    std::vector<int> host(n, -1);
    const std::size_t row = n * sizeof(int);
    const lockstep::owned_stream stream;

    // [graph]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaMemsetParams line{d_x.data(), 0, 3, sizeof(int), n, 1};  // one row of n ints
    cudaMemsetParams area{d_y.data(), row, 5, sizeof(int), n / 2, 4};  // four half rows
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(d_x.data(), row, n, 1);
    copy.dstPtr = make_cudaPitchedPtr(host.data(), row, n, 1);
    copy.extent = make_cudaExtent(row, 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(nothing);
    kernel.gridDim = kernel.blockDim = dim3(1);
    cudaGraphNode_t lines{}, areas{}, copies{}, kernels{};
    lockstep::check(cudaGraphAddMemsetNode(&lines, graph, nullptr, 0, &line));
    lockstep::check(cudaGraphAddMemsetNode(&areas, graph, nullptr, 0, &area));
    lockstep::check(cudaGraphAddMemcpyNode(&copies, graph, &lines, 1, &copy));
    lockstep::check(cudaGraphAddKernelNode(&kernels, graph, nullptr, 0, &kernel));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    // [/graph]

    const auto show = [](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        cudaGetLastError();  // cleared: the call's own status is kept
        return error == cudaSuccess;
    };

    // [allowed]
    line.value = 4;
    line.width = n / 2;
    bool right = show("memory set: value, width",
                      cudaGraphExecMemsetNodeSetParams(executable, lines, &line));
    line.width = n;
    right = show("memory set: width back",
                 cudaGraphExecMemsetNodeSetParams(executable, lines, &line)) &&
            right;
    // [/allowed]

    // [refused]
    area.width = n / 4;
    show("2D memory set: width",
         cudaGraphExecMemsetNodeSetParams(executable, areas, &area));
    cudaMemcpy3DParms changed = copy;
    changed.dstPtr = make_cudaPitchedPtr(d_y.data(), row, n, 1);
    changed.kind = cudaMemcpyDeviceToDevice;
    right = !show("copy: kind of transfer",
                  cudaGraphExecMemcpyNodeSetParams(executable, copies, &changed)) &&
            right;
    changed = copy;
    changed.extent = make_cudaExtent(row / 2, 2, 1);
    show("copy: two rows",
         cudaGraphExecMemcpyNodeSetParams(executable, copies, &changed));
    right = !show("setter of another type",
                  cudaGraphExecKernelNodeSetParams(executable, copies, &kernel)) &&
            right;
    // [/refused]

    // [semaphores]
    const cudaExternalSemaphoreSignalNodeParams signal{};  // no semaphores
    const cudaExternalSemaphoreWaitNodeParams wait{};
    right = !show("kernel node, signal setter",
                  cudaGraphExecExternalSemaphoresSignalNodeSetParams(
                      executable, kernels, &signal)) &&
            right;
    right = !show("kernel node, wait setter",
                  cudaGraphExecExternalSemaphoresWaitNodeSetParams(executable, kernels,
                                                                   &wait)) &&
            right;
    // [/semaphores]

    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("launch copies to the host", host[n - 1]);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return right && host == std::vector<int>(n, 4) ? EXIT_SUCCESS : EXIT_FAILURE;
}
