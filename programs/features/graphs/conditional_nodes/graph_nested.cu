// May a body contain another conditional node? Yes: this loop runs until a number has
// become 1, and in each round an IF node inside it chooses between n / 2 and 3 n + 1.
// The bodies are captured from streams.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// A number and the steps it has taken.
struct collatz {
    unsigned number;
    unsigned steps;
};

/// Sets the inner condition to whether the number is even; one thread.
/// @param even   condition of the IF node
/// @param state  in device memory
__global__ void look(cudaGraphConditionalHandle even, const collatz* state) {
    cudaGraphSetConditional(even, state->number % 2 == 0);
}

/// n / 2; one thread.
/// @param state  in device memory, changed
__global__ void halve(collatz* state) { state->number /= 2; }

/// 3 n + 1; one thread.
/// @param state  in device memory, changed
__global__ void triple(collatz* state) { state->number = 3 * state->number + 1; }

/// Counts a step, and ends the loop at 1; one thread.
/// @param go_on  condition of the WHILE node
/// @param state  in device memory, changed
__global__ void count(cudaGraphConditionalHandle go_on, collatz* state) {
    ++state->steps;
    cudaGraphSetConditional(go_on, state->number != 1);
}

/// Adds a conditional node.
/// @param graph      the graph
/// @param after      the nodes that it depends on
/// @param condition  its handle
/// @param type       its type
/// @param bodies     how many
/// @param body       set to the array of bodies
cudaGraphNode_t add_conditional(cudaGraph_t graph, const lockstep::graph_nodes& after,
                                cudaGraphConditionalHandle condition,
                                cudaGraphConditionalNodeType type, unsigned bodies,
                                cudaGraph_t** body) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = condition;
    params.conditional.type = type;
    params.conditional.size = bodies;
    cudaGraphNode_t node = nullptr;
    lockstep::check(
        cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
    *body = params.conditional.phGraph_out;
    return node;
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<collatz> state(std::vector<collatz>{{27, 0}});
    lockstep::check(cudaDeviceSynchronize());
    const auto capture_into = [&](cudaGraph_t body, auto&& enqueue) {
        cudaGraph_t same = nullptr;
        lockstep::check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                                      cudaStreamCaptureModeGlobal));
        enqueue();
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamEndCapture(stream, &same));
    };

    // [nest]
    lockstep::owned_graph graph;
    cudaGraphConditionalHandle go_on{}, even{};
    lockstep::check(
        cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t* loop = nullptr;
    cudaGraph_t* branches = nullptr;
    add_conditional(graph, {}, go_on, cudaGraphCondTypeWhile, 1, &loop);
    lockstep::check(cudaGraphConditionalHandleCreate(&even, loop[0], 0, 0));
    const cudaGraphNode_t looked =
        lockstep::add_kernel_node(loop[0], {}, 1, 1, look, even, state.data());
    const cudaGraphNode_t chosen =
        add_conditional(loop[0], {looked}, even, cudaGraphCondTypeIf, 2, &branches);
    capture_into(branches[0], [&] { halve<<<1, 1, 0, stream>>>(state.data()); });
    capture_into(branches[1], [&] { triple<<<1, 1, 0, stream>>>(state.data()); });
    lockstep::add_kernel_node(loop[0], {chosen}, 1, 1, count, go_on, state.data());
    // [/nest]

    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    unsigned expected = 0;
    for (unsigned number = 27; number != 1; ++expected)
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    const collatz found = state.to_host()[0];
    lockstep::report("steps from 27 to 1", found.steps);
    lockstep::report("steps on the host", expected);
    return found.steps == expected && found.number == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
