// How is a single node of an executable graph changed? Most node types have a setter.
// It takes the executable graph and the node of the graph that it was made from, and
// changes the next launches only. The graph itself stays as it was.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

/// Adds a number to each element.
/// @param number  what is added
/// @param x       n ints in device memory; one block of n threads
__global__ void add(int number, int* x) { x[threadIdx.x] += number; }

/// Notes a call.
/// @param note  an int in host memory
void CUDART_CB take_note(void* note) { *static_cast<int*>(note) += 1; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(n);
    int* x = d_x.data();
    std::vector<int> there(n, -1), elsewhere(n, -1);
    int notes[2] = {};
    const lockstep::owned_stream stream;
    const lockstep::owned_event ready(cudaEventDisableTiming);
    const lockstep::owned_event later(cudaEventDisableTiming);
    const lockstep::owned_event done(cudaEventDisableTiming);
    const lockstep::owned_event finished(cudaEventDisableTiming);

    // [parameters]
    int number = 10;
    void* arguments[] = {&number, &x};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(n);
    kernel.kernelParams = arguments;
    cudaMemsetParams clear{x, 0, 0, sizeof(int), n, 1};
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(x, d_x.bytes(), n, 1);
    copy.dstPtr = make_cudaPitchedPtr(there.data(), d_x.bytes(), n, 1);
    copy.extent = make_cudaExtent(d_x.bytes(), 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaHostNodeParams host{take_note, &notes[0]};
    // [/parameters]

    // [graph]
    cudaGraph_t graph = nullptr, child = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphCreate(&child, 0));
    cudaGraphNode_t waits{}, clears{}, adds{}, inner{}, nested{}, copies{}, notifies{},
        records{};
    lockstep::check(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &kernel));
    lockstep::check(cudaGraphAddEventWaitNode(&waits, graph, nullptr, 0, ready));
    lockstep::check(cudaGraphAddMemsetNode(&clears, graph, &waits, 1, &clear));
    lockstep::check(cudaGraphAddKernelNode(&adds, graph, &clears, 1, &kernel));
    lockstep::check(cudaGraphAddChildGraphNode(&nested, graph, &adds, 1, child));
    lockstep::check(cudaGraphAddMemcpyNode(&copies, graph, &nested, 1, &copy));
    lockstep::check(cudaGraphAddHostNode(&notifies, graph, &copies, 1, &host));
    lockstep::check(cudaGraphAddEventRecordNode(&records, graph, &notifies, 1, done));
    // [/graph]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));  // still runs as it is now

    // [set]
    number = 7;
    lockstep::check(cudaGraphExecKernelNodeSetParams(executable, adds, &kernel));
    number = 1000;
    lockstep::check(cudaGraphKernelNodeSetParams(inner, &kernel));  // of the child
    lockstep::check(cudaGraphExecChildGraphNodeSetParams(executable, nested, child));
    clear.value = 500;
    lockstep::check(cudaGraphExecMemsetNodeSetParams(executable, clears, &clear));
    copy.dstPtr = make_cudaPitchedPtr(elsewhere.data(), d_x.bytes(), n, 1);
    lockstep::check(cudaGraphExecMemcpyNodeSetParams(executable, copies, &copy));
    host.userData = &notes[1];
    lockstep::check(cudaGraphExecHostNodeSetParams(executable, notifies, &host));
    lockstep::check(cudaGraphExecEventWaitNodeSetEvent(executable, waits, later));
    lockstep::check(
        cudaGraphExecEventRecordNodeSetEvent(executable, records, finished));
    // [/set]
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaEventSynchronize(finished));
    lockstep::report("first launch", there[0]);
    lockstep::report("second launch", elsewhere[0]);
    bool right =
        there[0] == 20 && elsewhere[0] == 1507 && notes[0] == 1 && notes[1] == 1;

    // [generic]
    number = 8;
    cudaGraphNodeParams any{};
    any.type = cudaGraphNodeTypeKernel;
    any.kernel.func = kernel.func;
    any.kernel.gridDim = dim3(1);
    any.kernel.blockDim = dim3(n);
    any.kernel.kernelParams = arguments;
    lockstep::check(cudaGraphExecNodeSetParams(executable, adds, &any));
    // [/generic]
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("third launch", elsewhere[0]);
    right = right && elsewhere[0] == 1508;

    // [definition]
    number = 99;
    lockstep::check(cudaGraphNodeSetParams(adds, &any));  // changes the graph alone
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("after a change of the graph", elsewhere[0]);
    // [/definition]
    right = right && elsewhere[0] == 1508;
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(child));
    lockstep::check(cudaGraphDestroy(graph));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
