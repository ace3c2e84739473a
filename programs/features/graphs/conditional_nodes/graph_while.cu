// Can a graph repeat a part until the GPU says that it is done? A WHILE node runs its
// body as long as a value is not zero, and a kernel of the body sets that value. The
// host launches once and decides nothing.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [body]
/// One step of the body: counts down, and ends the loop at zero; one thread.
/// @param condition  of the WHILE node
/// @param left       an int in device memory, decreased by one
/// @param steps      an int in device memory, increased by one
__global__ void count_down(cudaGraphConditionalHandle condition, int* left,
                           int* steps) {
    ++*steps;
    if (--*left == 0) cudaGraphSetConditional(condition, 0);
}
// [/body]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> left(1), steps(std::vector<int>(1, 0));
    const lockstep::owned_stream stream;

    // [handle]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle condition{};
    lockstep::check(cudaGraphConditionalHandleCreate(&condition, graph, 1,
                                                     cudaGraphCondAssignDefault));
    // [/handle]

    // [node]
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = condition;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;  // one body
    cudaGraphNode_t loop_node = nullptr;
    lockstep::check(cudaGraphAddNode(&loop_node, graph, nullptr, nullptr, 0, &loop));
    const cudaGraph_t body = loop.conditional.phGraph_out[0];  // empty until now
    // [/node]

    // [fill-body]
    int* d_left = left.data();
    int* d_steps = steps.data();
    void* arguments[] = {&condition, &d_left, &d_steps};
    cudaGraphNodeParams kernel{};
    kernel.type = cudaGraphNodeTypeKernel;
    kernel.kernel.func = reinterpret_cast<void*>(count_down);
    kernel.kernel.gridDim = dim3(1);
    kernel.kernel.blockDim = dim3(1);
    kernel.kernel.kernelParams = arguments;
    cudaGraphNode_t kernel_node = nullptr;
    lockstep::check(cudaGraphAddNode(&kernel_node, body, nullptr, nullptr, 0, &kernel));
    // [/fill-body]

    // [launches]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    int done[3] = {};
    for (int launch = 0; launch < 3; ++launch) {
        const int wanted = 10 * (launch + 1);
        lockstep::check(
            cudaMemcpy(d_left, &wanted, sizeof wanted, cudaMemcpyHostToDevice));
        lockstep::check(cudaDeviceSynchronize());  // until the copy has arrived
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        done[launch] = steps.to_host()[0];
    }
    // [/launches]
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));  // and its bodies
    lockstep::report("steps of the first launch", done[0]);
    lockstep::report("steps of the second launch", done[1] - done[0]);
    lockstep::report("steps of the third launch", done[2] - done[1]);
    return done[0] == 10 && done[1] == 30 && done[2] == 60 ? EXIT_SUCCESS
                                                           : EXIT_FAILURE;
}
