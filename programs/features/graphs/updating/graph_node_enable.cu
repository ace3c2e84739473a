// Can a node be left out of some launches? A kernel, memory set or memory copy node of
// an executable graph can be disabled: it then does nothing, like an empty node, and
// keeps its parameters, even those that it is given while it is disabled.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds a number.
/// @param number  what is added
/// @param x       one int in device memory
__global__ void add(int number, int* x) { *x += number; }

/// Does nothing, whatever it is given.
void CUDART_CB nothing(void* /*unused*/) {}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(1);
    int* x = d_x.data();
    int result = -1;
    int one = 1;
    int ten = 10;
    const lockstep::owned_stream stream;
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));

    cudaMemsetParams clear{x, 0, 0, sizeof(int), 1, 1};
    void* add_one[] = {&one, &x};
    void* add_ten[] = {&ten, &x};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = add_one;
    cudaGraphNode_t clears{}, ones{}, tens{}, copies{}, notifies{};
    lockstep::check(cudaGraphAddMemsetNode(&clears, graph, nullptr, 0, &clear));
    lockstep::check(cudaGraphAddKernelNode(&ones, graph, &clears, 1, &kernel));
    kernel.kernelParams = add_ten;
    lockstep::check(cudaGraphAddKernelNode(&tens, graph, &ones, 1, &kernel));
    lockstep::check(cudaGraphAddMemcpyNode1D(&copies, graph, &tens, 1, &result, x,
                                             sizeof(int), cudaMemcpyDeviceToHost));
    cudaHostNodeParams host{nothing, nullptr};
    lockstep::check(cudaGraphAddHostNode(&notifies, graph, &copies, 1, &host));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));

    bool right = true;
    const auto launch = [&](const char* what, int expected) {
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::report(what, result);
        right = right && result == expected;
    };
    launch("all nodes enabled", 11);

    // [kernel]
    lockstep::check(cudaGraphNodeSetEnabled(executable, tens, 0));
    launch("kernel +10 disabled", 1);
    ten = 50;
    lockstep::check(cudaGraphExecKernelNodeSetParams(executable, tens, &kernel));
    unsigned enabled = 9;
    lockstep::check(cudaGraphNodeGetEnabled(executable, tens, &enabled));
    lockstep::report("still disabled", enabled == 0);
    launch("made +50 meanwhile", 1);
    lockstep::check(cudaGraphNodeSetEnabled(executable, tens, 1));
    launch("enabled again", 51);
    // [/kernel]
    right = right && enabled == 0;

    // [memset-copy]
    lockstep::check(cudaGraphNodeSetEnabled(executable, clears, 0));
    launch("memory set disabled", 102);  // adds to what the last launch left
    lockstep::check(cudaGraphNodeSetEnabled(executable, copies, 0));
    launch("copy disabled, too", 102);  // the host still has the old value
    lockstep::check(cudaGraphNodeSetEnabled(executable, copies, 1));
    launch("copy enabled", 204);
    // [/memset-copy]

    // [host]
    const cudaError_t error = cudaGraphNodeSetEnabled(executable, notifies, 0);
    lockstep::report("disable the host node", cudaGetErrorName(error));
    // [/host]
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return right && error != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
