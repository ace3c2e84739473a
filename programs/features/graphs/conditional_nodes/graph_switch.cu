// How does a graph choose one of many parts? A SWITCH node runs the body whose number
// is the value of its condition, and none if there is no such body.

#include <cstdlib>
#include <string>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Sets the condition to a number; one thread.
/// @param condition  of the SWITCH node
/// @param number     an int in device memory
__global__ void set(cudaGraphConditionalHandle condition, const int* number) {
    cudaGraphSetConditional(condition, *number);
}

/// The body of one case: says which one ran; one thread.
/// @param which  the number of the body
/// @param ran    an int in device memory, written
__global__ void note(int which, int* ran) { *ran = which; }

int main() {
    lockstep::require_device();

    constexpr unsigned cases = 5;
    constexpr int none = -1;
    lockstep::device_buffer<int> number(1), ran(1);
    lockstep::owned_graph graph;
    // [node]
    cudaGraphConditionalHandle condition{};
    lockstep::check(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
    const cudaGraphNode_t was_set =
        lockstep::add_kernel_node(graph, {}, 1, 1, set, condition, number.data());
    cudaGraphNodeParams choice{};
    choice.type = cudaGraphNodeTypeConditional;
    choice.conditional.handle = condition;
    choice.conditional.type = cudaGraphCondTypeSwitch;
    choice.conditional.size = cases;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, graph, &was_set, nullptr, 1, &choice));
    for (unsigned i = 0; i < cases; ++i)
        lockstep::add_kernel_node(choice.conditional.phGraph_out[i], {}, 1, 1, note,
                                  int(i), ran.data());
    // [/node]
    const cudaGraphExec_t executable = graph.instantiate();
    const lockstep::owned_stream stream;
    bool right = true;
    for (const int value : {0, 1, 4, 5, 7}) {
        lockstep::check(
            cudaMemcpy(number.data(), &value, sizeof value, cudaMemcpyHostToDevice));
        lockstep::check(
            cudaMemcpy(ran.data(), &none, sizeof none, cudaMemcpyHostToDevice));
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        const int body = ran.to_host()[0];
        lockstep::report(("body for value " + std::to_string(value)).c_str(),
                         body == none ? "none" : std::to_string(body).c_str());
        right = right && body == (value < int(cases) ? value : none);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
