// Which SMs does a kernel in a graph run on? Those of the context that its node was
// made for. The stream that the graph is launched into does not matter.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <lockstep/green_context.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

/// Adds a kernel node for a context, after another node if there is one.
CUgraphNode add_node(CUgraph graph, CUgraphNode before, CUcontext context,
                     lockstep::sm_marks& marks, bool by_function) {
    int* data = marks.data();
    void* arguments[] = {&data};
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel.gridDimX = unsigned(marks.blocks());
    params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = lockstep::sm_marks::threads;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.kernelParams = arguments;
    // [explicit]
    params.kernel.ctx = context;
    if (by_function)
        lockstep::check(cudaGetFuncBySymbol(
            &params.kernel.func, reinterpret_cast<const void*>(lockstep::mark_sm)));
    else
        lockstep::check(cudaGetKernel(&params.kernel.kern, lockstep::mark_sm));
    // [/explicit]
    CUgraphNode node = nullptr;
    lockstep::check(
        cuGraphAddNode(&node, graph, &before, nullptr, before ? 1 : 0, &params));
    return node;
}

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource groups[2]{};
    unsigned count = 2;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16));
    const lockstep::green_context one(&groups[0]);
    const lockstep::green_context other(&groups[1]);
    const auto of_one = lockstep::sms_of(one.stream());
    const auto of_other = lockstep::sms_of(other.stream());
    const lockstep::owned_stream plain;
    const auto run = [&](CUgraph graph) {
        CUgraphExec executable = nullptr;
        lockstep::check(cuGraphInstantiate(&executable, graph, 0));
        lockstep::check(cuGraphLaunch(executable, plain));
        lockstep::check(cuStreamSynchronize(plain));
        lockstep::check(cuGraphExecDestroy(executable));
        lockstep::check(cuGraphDestroy(graph));
    };

    // [capture]
    lockstep::sm_marks captured[2];
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);
    const int blocks = captured[0].blocks();
    constexpr int threads = lockstep::sm_marks::threads;
    lockstep::check(cudaStreamBeginCapture(one.stream(), cudaStreamCaptureModeGlobal));
    lockstep::check(cudaEventRecord(fork, one.stream()));
    lockstep::check(cudaStreamWaitEvent(other.stream(), fork));
    lockstep::mark_sm<<<blocks, threads, 0, one.stream()>>>(captured[0].data());
    lockstep::mark_sm<<<blocks, threads, 0, other.stream()>>>(captured[1].data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(join, other.stream()));
    lockstep::check(cudaStreamWaitEvent(one.stream(), join));
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamEndCapture(one.stream(), &graph));
    run(graph);
    // [/capture]

    // [nodes]
    CUcontext context = nullptr;
    lockstep::check(cuCtxFromGreenCtx(&context, other));
    CUgraph built = nullptr;
    lockstep::check(cuGraphCreate(&built, 0));
    lockstep::sm_marks by_kernel, by_function;
    CUgraphNode node = add_node(built, nullptr, context, by_kernel, false);
    add_node(built, node, context, by_function, true);  // after the first node
    CUDA_KERNEL_NODE_PARAMS params{};
    lockstep::check(cuGraphKernelNodeGetParams(node, &params));
    run(built);
    // [/nodes]
    const auto first = captured[0].found();
    const auto second = captured[1].found();
    const auto third = by_kernel.found();
    const auto row = [](const char* label, const lockstep::sm_set& used,
                        const lockstep::sm_set& context_sms) {
        std::printf("%-26s%10zu%20d\n", label, std::size_t(used.size()),
                    lockstep::in_both(used, context_sms));
    };
    std::printf("%-26s%10s%20s\n", "node", "SMs used", "SMs of its context");
    row("captured in context 1", first, of_one);
    row("captured in context 2", second, of_other);
    row("for context 2, kern set", third, of_other);
    row("for context 2, func set", by_function.found(), of_other);
    lockstep::report("its parameters name it", params.ctx == context);
    return first == of_one && second == of_other && third == of_other &&
                   params.ctx == context
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
