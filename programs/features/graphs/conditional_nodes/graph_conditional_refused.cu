// What may a conditional node not be, and what may its body not hold? The size must fit
// the type, a handle belongs to one node, and the body takes only work that the GPU can
// do without the host.

#include <cstdlib>
#include <vector>

#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing, on the host.
void CUDART_CB nothing(void*) {}

/// A graph with one conditional node.
struct conditional_graph {
    lockstep::owned_graph graph;
    cudaGraphConditionalHandle condition{};
    cudaGraph_t body = nullptr;  ///< the first body; null if the node was refused
    cudaError_t error = cudaSuccess;  ///< of adding the node

    /// @param type  of the conditional node
    /// @param size  its number of bodies
    conditional_graph(cudaGraphConditionalNodeType type, unsigned size) {
        lockstep::check(cudaGraphConditionalHandleCreate(&condition, graph, 0,
                                                         cudaGraphCondAssignDefault));
        error = add_node(type, size);
    }
    /// Adds a node for the same handle.
    cudaError_t add_node(cudaGraphConditionalNodeType type, unsigned size) {
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = condition;
        params.conditional.type = type;
        params.conditional.size = size;
        cudaGraphNode_t node = nullptr;
        const cudaError_t result =
            cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
        if (result == cudaSuccess) body = params.conditional.phGraph_out[0];
        return result;
    }
};

int main() {
    lockstep::require_device();

    int refused = 0;
    const auto show = [&](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        refused += error != cudaSuccess;
        cudaGetLastError();  // cleared: the call's own status is kept
    };

    // [sizes]
    show("IF with no body", conditional_graph(cudaGraphCondTypeIf, 0).error);
    show("IF with three bodies", conditional_graph(cudaGraphCondTypeIf, 3).error);
    show("WHILE with two bodies", conditional_graph(cudaGraphCondTypeWhile, 2).error);
    show("SWITCH with no body", conditional_graph(cudaGraphCondTypeSwitch, 0).error);
    // [/sizes]

    // [handles]
    conditional_graph twice(cudaGraphCondTypeIf, 1);
    show("two nodes for one handle", twice.add_node(cudaGraphCondTypeIf, 1));
    lockstep::owned_graph unused;
    cudaGraphConditionalHandle condition{};
    lockstep::check(cudaGraphConditionalHandleCreate(&condition, unused, 0, 0));
    cudaGraphExec_t executable = nullptr;
    show("a handle without a node", cudaGraphInstantiate(&executable, unused, 0));
    // [/handles]

    // [bodies]
    const lockstep::owned_event event(cudaEventDisableTiming);
    void* memory = nullptr;
    std::vector<char> pageable(1000);
    lockstep::check(cudaMalloc(&memory, pageable.size()));
    const auto in_body = [&](const char* what, auto&& add) {
        const conditional_graph one(cudaGraphCondTypeIf, 1);
        cudaGraphNode_t node = nullptr;
        cudaError_t error = add(&node, one.body);
        if (error == cudaSuccess)
            error = cudaGraphInstantiate(&executable, one.graph, 0);
        show(what, error);
    };
    in_body("host node", [&](cudaGraphNode_t* node, cudaGraph_t body) {
        cudaHostNodeParams params{nothing, nullptr};
        return cudaGraphAddHostNode(node, body, nullptr, 0, &params);
    });
    in_body("event record node", [&](cudaGraphNode_t* node, cudaGraph_t body) {
        return cudaGraphAddEventRecordNode(node, body, nullptr, 0, event);
    });
    in_body("allocation node", [&](cudaGraphNode_t* node, cudaGraph_t body) {
        cudaGraphNodeParams params = lockstep::allocation_params(1000);
        return cudaGraphAddNode(node, body, nullptr, nullptr, 0, &params);
    });
    in_body("copy from pageable memory", [&](cudaGraphNode_t* node, cudaGraph_t body) {
        return cudaGraphAddMemcpyNode1D(node, body, nullptr, 0, memory, pageable.data(),
                                        pageable.size(), cudaMemcpyHostToDevice);
    });
    // [/bodies]
    lockstep::check(cudaFree(memory));
    lockstep::report("refused", refused);
    return refused == 10 ? EXIT_SUCCESS : EXIT_FAILURE;
}
