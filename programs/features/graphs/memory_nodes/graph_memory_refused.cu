// What does a graph with memory nodes not allow? It has one instantiation at a time,
// cannot be cloned, keeps its nodes, frees an allocation once, and becomes a child
// graph only if the parent takes it over.

#include <cstdlib>

#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    int* x = nullptr;
    lockstep::owned_graph graph;
    const cudaGraphNode_t allocate = lockstep::add_allocation_node(graph, {}, n, &x);
    const cudaGraphNode_t free_node = lockstep::add_free_node(graph, {allocate}, x);
    graph.instantiate();
    int refused = 0;
    const auto show = [&](const char* what, cudaError_t error) {
        lockstep::report(what, cudaGetErrorName(error));
        refused += error != cudaSuccess;
        cudaGetLastError();  // cleared: the call's own status is kept
    };

    // [whole-graph]
    cudaGraphExec_t second = nullptr;
    show("instantiated twice", cudaGraphInstantiate(&second, graph, 0));
    cudaGraph_t copy = nullptr;
    show("cloned", cudaGraphClone(&copy, graph));
    const lockstep::owned_graph parent;
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams child{};
    child.type = cudaGraphNodeTypeGraph;
    child.graph.graph = graph;
    child.graph.ownership = cudaGraphChildGraphOwnershipClone;
    show("added as a copied child",
         cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &child));
    // [/whole-graph]

    // [nodes]
    show("node removed", cudaGraphDestroyNode(free_node));
    cudaGraphNodeParams release{};
    release.type = cudaGraphNodeTypeMemFree;
    release.free.dptr = x;
    show("freed a second time",
         cudaGraphAddNode(&node, graph, &free_node, nullptr, 1, &release));
    cudaGraphNodeParams nothing = lockstep::allocation_params(0);
    show("zero bytes", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &nothing));
    cudaGraphNodeParams unpinned = lockstep::allocation_params(n);
    unpinned.alloc.poolProps.allocType = cudaMemAllocationTypeInvalid;
    show("kind of memory not named",
         cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &unpinned));
    cudaGraphNodeParams shared = lockstep::allocation_params(n);
    shared.alloc.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    show("for other processes",
         cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &shared));
    // [/nodes]
    lockstep::report("refused", refused);
    return refused == 8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
