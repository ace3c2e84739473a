// How does a graph of the runtime API choose the SMs of a kernel node? From CUDA 13.1
// on the parameters of the node name an execution context.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    cudaDevResource all{};
    lockstep::check(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
    cudaDevResource part{};
    unsigned count = 1;
    lockstep::check(cudaDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, 16));
    cudaDevResourceDesc_t descriptor = nullptr;
    cudaExecutionContext_t context = nullptr;
    lockstep::check(cudaDevResourceGenerateDesc(&descriptor, &part, 1));
    lockstep::check(cudaGreenCtxCreate(&context, descriptor, 0, 0));

    // [node]
    lockstep::sm_marks marks;
    int* data = marks.data();
    void* arguments[] = {&data};
    cudaKernelNodeParamsV2 kernel{};
    kernel.func = reinterpret_cast<void*>(lockstep::mark_sm);
    kernel.gridDim = dim3(unsigned(marks.blocks()));
    kernel.blockDim = dim3(lockstep::sm_marks::threads);
    kernel.kernelParams = arguments;
    kernel.ctx = context;
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel = kernel;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    // [/node]

    // [launch]
    const lockstep::owned_stream plain;
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, plain));
    lockstep::check(cudaStreamSynchronize(plain));
    // [/launch]
    const auto found = marks.found();
    lockstep::report("SMs of the context", part.sm.smCount);
    lockstep::report("SMs used by the node", found.size());
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaExecutionCtxDestroy(context));
    return found.size() == part.sm.smCount ? EXIT_SUCCESS : EXIT_FAILURE;
}
