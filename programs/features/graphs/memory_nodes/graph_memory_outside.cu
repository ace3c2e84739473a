// May memory that a graph allocates be used outside of that graph? Yes, if the use
// comes after the allocation and before the free in an order that CUDA knows: that of
// one stream, of events between streams, or of event nodes inside the graphs.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1000;
constexpr int block = 128;

/// Writes 0, 1, 2, ...; one block.
/// @param x  n ints in device memory, written
__global__ void fill(int* x) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
}

/// Adds up all elements; one block.
/// @param x    n ints in device memory
/// @param sum  an int in device memory, grows
__global__ void add_up(const int* x, int* sum) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, x[i]);
}

/// Adds a node that records an event, or waits for one.
/// @param graph  the graph
/// @param after  the nodes that it depends on
/// @param type   cudaGraphNodeTypeEventRecord or cudaGraphNodeTypeWaitEvent
/// @param event  the event
cudaGraphNode_t add_event_node(cudaGraph_t graph, const lockstep::graph_nodes& after,
                               cudaGraphNodeType type, cudaEvent_t event) {
    cudaGraphNodeParams params{};
    params.type = type;
    if (type == cudaGraphNodeTypeEventRecord)
        params.eventRecord.event = event;
    else
        params.eventWait.event = event;
    cudaGraphNode_t node = nullptr;
    lockstep::check(
        cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
    return node;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> sums(std::vector<int>(3, 0));
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream producing, using_it, freeing;
    const lockstep::owned_event ready(cudaEventDisableTiming);
    const lockstep::owned_event used(cudaEventDisableTiming);

    // [producer]
    lockstep::owned_graph producer;  // allocates, and does not free
    int* x = nullptr;
    const cudaGraphNode_t allocate = lockstep::add_allocation_node(producer, {}, n, &x);
    const cudaGraphNode_t filled =
        lockstep::add_kernel_node(producer, {allocate}, 1, block, fill, x);
    add_event_node(producer, {filled}, cudaGraphNodeTypeEventRecord, ready);
    const cudaGraphExec_t produce = producer.instantiate();
    // [/producer]

    // [one-stream]
    lockstep::check(cudaGraphLaunch(produce, producing));
    add_up<<<1, block, 0, producing>>>(x, sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaFreeAsync(x, producing));
    // [/one-stream]
    lockstep::check(cudaStreamSynchronize(producing));

    // [events]
    lockstep::owned_graph second;  // frees what the first one allocated
    lockstep::add_free_node(second, {}, x);
    const cudaGraphExec_t free_only = second.instantiate();
    lockstep::check(cudaGraphLaunch(produce, producing));
    lockstep::check(cudaEventRecord(ready, producing));
    lockstep::check(cudaStreamWaitEvent(using_it, ready));
    add_up<<<1, block, 0, using_it>>>(x, sums.data() + 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(used, using_it));
    lockstep::check(cudaStreamWaitEvent(freeing, used));
    lockstep::check(cudaGraphLaunch(free_only, freeing));
    // [/events]
    lockstep::check(cudaStreamSynchronize(freeing));

    // [event-nodes]
    lockstep::owned_graph third;
    const cudaGraphNode_t after_use =
        add_event_node(third, {}, cudaGraphNodeTypeWaitEvent, used);
    lockstep::add_free_node(third, {after_use}, x);
    const cudaGraphExec_t wait_and_free = third.instantiate();
    lockstep::check(cudaGraphLaunch(produce, producing));  // its last node records
    lockstep::check(cudaStreamWaitEvent(using_it, ready));
    add_up<<<1, block, 0, using_it>>>(x, sums.data() + 2);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(used, using_it));
    lockstep::check(cudaGraphLaunch(wait_and_free, freeing));  // its first node waits
    // [/event-nodes]
    lockstep::check(cudaDeviceSynchronize());

    const std::vector<int> found = sums.to_host();
    lockstep::report("one stream", found[0]);
    lockstep::report("events between streams", found[1]);
    lockstep::report("event nodes in the graphs", found[2]);
    const std::vector<int> expected(3, 499'500);
    return found == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
