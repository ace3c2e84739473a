// Which graphs cannot be instantiated for launches from the device? Those with a node
// that needs the host, those without any node, and those that free by themselves. The
// result says why, and which node is to blame.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing, on the host.
void CUDART_CB nothing(void*) {}

/// Does nothing, on the GPU.
__global__ void empty() {}

/// Name of a result of cudaGraphInstantiateWithParams.
/// @param result  the result
const char* name_of(cudaGraphInstantiateResult result) {
    switch (result) {
        case cudaGraphInstantiateSuccess: return "success";
        case cudaGraphInstantiateError: return "error";
        case cudaGraphInstantiateInvalidStructure: return "invalid structure";
        case cudaGraphInstantiateNodeOperationNotSupported: return "operation";
        case cudaGraphInstantiateMultipleDevicesNotSupported: return "devices";
        case cudaGraphInstantiateConditionalHandleUnused: return "handle unused";
    }
    return "unknown";
}

int main() {
    lockstep::require_device();

    const lockstep::owned_event event(cudaEventDisableTiming);
    void* memory = nullptr;
    std::vector<char> pageable(1000);
    lockstep::check(cudaMalloc(&memory, pageable.size()));
    int refused = 0;
    std::printf("%-28s%-34s%-20s%s\n", "", "error", "result", "node named");
    // [try]
    const auto try_one = [&](const char* what, auto&& add,
                             unsigned long long more = 0) {
        const lockstep::owned_graph graph;
        add(static_cast<cudaGraph_t>(graph));
        cudaGraphInstantiateParams params{};
        params.flags = cudaGraphInstantiateFlagDeviceLaunch | more;
        cudaGraphExec_t executable = nullptr;
        const cudaError_t error =
            cudaGraphInstantiateWithParams(&executable, graph, &params);
        cudaGetLastError();  // cleared: the call's own status is kept
        std::printf("%-28s%-34s%-20s%s\n", what, cudaGetErrorName(error),
                    name_of(params.result_out), params.errNode_out ? "yes" : "no");
        refused += error != cudaSuccess;
        if (executable) lockstep::check(cudaGraphExecDestroy(executable));
    };
    // [/try]
    // [cases]
    cudaGraphNode_t node = nullptr;
    try_one("kernel node", [&](cudaGraph_t graph) {
        lockstep::add_kernel_node(graph, {}, 1, 1, empty);
    });
    try_one("no node", [&](cudaGraph_t) {});
    try_one("host node", [&](cudaGraph_t graph) {
        cudaHostNodeParams params{nothing, nullptr};
        lockstep::check(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params));
    });
    try_one("event record node", [&](cudaGraph_t graph) {
        lockstep::check(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
    });
    try_one("empty node", [&](cudaGraph_t graph) {
        lockstep::check(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    });
    try_one("allocation node", [&](cudaGraph_t graph) {
        int* x = nullptr;
        node = lockstep::add_allocation_node(graph, {}, 1000, &x);
        lockstep::add_free_node(graph, {node}, x);
    });
    try_one("IF node", [&](cudaGraph_t graph) {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeConditional;
        lockstep::check(
            cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0));
        params.conditional.type = cudaGraphCondTypeIf;
        params.conditional.size = 1;
        lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    });
    try_one("copy from pageable memory", [&](cudaGraph_t graph) {
        lockstep::check(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory,
                                                 pageable.data(), pageable.size(),
                                                 cudaMemcpyHostToDevice));
    });
    try_one(
        "with auto-free",
        [&](cudaGraph_t graph) { lockstep::add_kernel_node(graph, {}, 1, 1, empty); },
        cudaGraphInstantiateFlagAutoFreeOnLaunch);
    // [/cases]
    lockstep::check(cudaFree(memory));
    lockstep::report("refused", refused);
    return refused == 8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
