// Which combinations of type, port and nodes does CUDA refuse? A programmatic edge
// joins two kernel nodes, and leaves the first through one of two ports.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds one.
/// @param data  one int in device memory
__global__ void add_one(int* data) {
    cudaGridDependencySynchronize();
    ++*data;
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> data(1);
    int* d_data = data.data();
    void* kernel_arguments[] = {&d_data};
    cudaGraphNodeParams kernel{};
    kernel.type = cudaGraphNodeTypeKernel;
    kernel.kernel.func = reinterpret_cast<void*>(add_one);
    kernel.kernel.gridDim = dim3(1);
    kernel.kernel.blockDim = dim3(1);
    kernel.kernel.kernelParams = kernel_arguments;
    cudaGraphNodeParams clear{};
    clear.type = cudaGraphNodeTypeMemset;
    clear.memset.dst = d_data;
    clear.memset.elementSize = sizeof(int);
    clear.memset.width = 1;
    clear.memset.height = 1;

    // [try]
    const auto first_error = [](cudaGraphNodeParams& from, cudaGraphNodeParams& to,
                                cudaGraphEdgeData edge) {
        cudaGraph_t graph{};
        cudaGraphNode_t first{};
        cudaGraphNode_t second{};
        lockstep::check(cudaGraphCreate(&graph, 0));
        lockstep::check(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &from));
        cudaError_t error = cudaGraphAddNode(&second, graph, &first, &edge, 1, &to);
        if (error == cudaSuccess) {
            cudaGraphExec_t executable{};
            error = cudaGraphInstantiate(&executable, graph, 0);
            if (error == cudaSuccess) lockstep::check(cudaGraphExecDestroy(executable));
        }
        lockstep::check(cudaGraphDestroy(graph));
        return error;
    };
    // [/try]
    bool as_expected = true;
    const auto report = [&](const char* label, cudaError_t error, bool refused) {
        lockstep::report(label, cudaGetErrorName(error));
        as_expected = as_expected && (error != cudaSuccess) == refused;
    };
    // [combinations]
    cudaGraphEdgeData edge{};
    edge.type = cudaGraphDependencyTypeProgrammatic;
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    report("kernel to kernel", first_error(kernel, kernel, edge), false);
    report("kernel to memset", first_error(kernel, clear, edge), true);
    report("memset to kernel", first_error(clear, kernel, edge), true);
    edge.from_port = cudaGraphKernelNodePortDefault;
    report("type without port", first_error(kernel, kernel, edge), true);
    edge.type = cudaGraphDependencyTypeDefault;
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    report("port without type", first_error(kernel, kernel, edge), true);
    edge.type = cudaGraphDependencyTypeProgrammatic;
    edge.to_port = 1;
    report("an incoming port", first_error(kernel, kernel, edge), true);
    // [/combinations]
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
