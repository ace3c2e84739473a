// Which node types can a graph have? This one uses eight of them: event wait, memory
// copy, memory set, kernel, child graph, empty, event record and host function. Each is
// added with its own parameter structure, and the result shows that all of them ran.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1024;

/// Adds a number to each element.
/// @param number  what is added
/// @param x       n ints in device memory; one block of n threads
__global__ void add(int number, int* x) { x[threadIdx.x] += number; }

/// Adds each element of one array to another.
/// @param x, sum  n ints each, in device memory; one block of n threads
__global__ void accumulate(const int* x, int* sum) {
    sum[threadIdx.x] += x[threadIdx.x];
}

// [host-function]
/// What the host node is given.
struct audit {
    const int* values;  ///< n ints in host memory
    long long total = 0;  ///< their sum, written
};

/// Runs on a thread of the driver; may call no CUDA function.
/// @param data  an audit
void CUDART_CB add_up(void* data) {
    audit& all = *static_cast<audit*>(data);
    for (int i = 0; i < n; ++i) all.total += all.values[i];
}
// [/host-function]

int main() {
    lockstep::require_device();

    std::vector<int> numbers(n), result(n, -1);
    for (int i = 0; i < n; ++i) numbers[i] = i;
    lockstep::device_buffer<int> d_x(n), d_sum(n);
    d_sum.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    int* x = d_x.data();
    int* sum = d_sum.data();
    audit checked{result.data()};
    const lockstep::owned_event ready(cudaEventDisableTiming);
    const lockstep::owned_event done(cudaEventDisableTiming);
    const lockstep::owned_stream producer, stream;

    cudaGraph_t graph = nullptr, child = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphCreate(&child, 0));

    // [event-wait]
    cudaGraphNodeParams wait{};
    wait.type = cudaGraphNodeTypeWaitEvent;
    wait.eventWait.event = ready;
    cudaGraphNode_t waited = nullptr;
    lockstep::check(cudaGraphAddNode(&waited, graph, nullptr, nullptr, 0, &wait));
    // [/event-wait]

    // [memcpy]
    cudaMemcpy3DParms to_device{};  // plain memory: srcArray, dstArray stay null
    to_device.srcPos = make_cudaPos(0, 0, 0);
    to_device.srcPtr = make_cudaPitchedPtr(numbers.data(), d_x.bytes(), n, 1);
    to_device.dstPos = make_cudaPos(0, 0, 0);
    to_device.dstPtr = make_cudaPitchedPtr(x, d_x.bytes(), n, 1);
    to_device.extent = make_cudaExtent(d_x.bytes(), 1, 1);  // bytes, rows, slices
    to_device.kind = cudaMemcpyHostToDevice;
    cudaGraphNode_t copied = nullptr;
    lockstep::check(cudaGraphAddMemcpyNode(&copied, graph, &waited, 1, &to_device));
    // [/memcpy]

    // [memset]
    cudaMemsetParams zeros{};
    zeros.dst = sum;
    zeros.value = 0;
    zeros.elementSize = sizeof(int);  // 1, 2 or 4 bytes
    zeros.width = n;  // in elements
    zeros.height = 1;
    cudaGraphNode_t cleared = nullptr;
    lockstep::check(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &zeros));
    // [/memset]

    // [child]
    int hundred = 100;
    void* add_arguments[] = {&hundred, &x};
    cudaKernelNodeParams add_params{};
    add_params.func = reinterpret_cast<void*>(add);
    add_params.gridDim = dim3(1);
    add_params.blockDim = dim3(n);
    add_params.kernelParams = add_arguments;
    cudaGraphNode_t inner = nullptr;
    lockstep::check(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &add_params));
    cudaGraphNodeParams whole{};
    whole.type = cudaGraphNodeTypeGraph;
    whole.graph.graph = child;
    cudaGraphNode_t nested = nullptr;
    lockstep::check(cudaGraphAddNode(&nested, graph, &copied, nullptr, 1, &whole));
    lockstep::check(cudaGraphDestroy(child));  // the node holds a copy of it
    // [/child]

    // [empty]
    const cudaGraphNode_t both[] = {nested, cleared};
    cudaGraphNode_t joined = nullptr;
    lockstep::check(cudaGraphAddEmptyNode(&joined, graph, both, 2));
    // [/empty]

    // [kernel]
    void* sum_arguments[] = {&x, &sum};
    cudaKernelNodeParams sum_params = add_params;
    sum_params.func = reinterpret_cast<void*>(accumulate);
    sum_params.kernelParams = sum_arguments;
    cudaGraphNode_t summed[2] = {};  // twice, so one after the other
    lockstep::check(cudaGraphAddKernelNode(&summed[0], graph, &joined, 1, &sum_params));
    lockstep::check(
        cudaGraphAddKernelNode(&summed[1], graph, &summed[0], 1, &sum_params));
    // [/kernel]

    // [copy-back]
    cudaGraphNode_t back = nullptr;
    lockstep::check(cudaGraphAddMemcpyNode1D(&back, graph, &summed[1], 1, result.data(),
                                             sum, d_sum.bytes(),
                                             cudaMemcpyDeviceToHost));
    // [/copy-back]

    // [host]
    cudaHostNodeParams host_params{};
    host_params.fn = add_up;
    host_params.userData = &checked;
    cudaGraphNode_t audited = nullptr;
    lockstep::check(cudaGraphAddHostNode(&audited, graph, &back, 1, &host_params));
    // [/host]

    // [event-record]
    cudaGraphNodeParams record{};
    record.type = cudaGraphNodeTypeEventRecord;
    record.eventRecord.event = done;
    cudaGraphNode_t recorded = nullptr;
    lockstep::check(cudaGraphAddNode(&recorded, graph, &audited, nullptr, 1, &record));
    // [/event-record]

    // [run]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaEventRecord(ready, producer));  // what the first node waits for
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaEventSynchronize(done));  // recorded by the last node
    // [/run]

    // [types]
    constexpr const char* names[] = {"kernel",     "memory copy", "memory set",
                                     "host",       "child graph", "empty",
                                     "event wait", "event record"};
    std::size_t nodes = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::vector<cudaGraphNode_t> all(nodes);
    lockstep::check(cudaGraphGetNodes(graph, all.data(), &nodes));
    int counts[8] = {};
    for (const cudaGraphNode_t node : all) {
        cudaGraphNodeType type{};
        lockstep::check(cudaGraphNodeGetType(node, &type));
        ++counts[type];
    }
    for (int type = 0; type < 8; ++type) lockstep::report(names[type], counts[type]);
    // [/types]
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    long long expected = 0;
    for (const int number : numbers) expected += 2 * (number + 100);
    lockstep::report("sum on the host", checked.total);
    return checked.total == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
