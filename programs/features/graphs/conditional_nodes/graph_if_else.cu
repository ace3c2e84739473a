// How does a graph choose between two parts? An IF node runs its first body if the
// value of its condition is not zero, and its second body, where it has one, if it is
// zero. Here a kernel in front of it looks at the data and sets the value.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [upstream]
/// Sets the condition to whether a number is even; one thread.
/// @param condition  of the IF node
/// @param number     an int in device memory
__global__ void look(cudaGraphConditionalHandle condition, const int* number) {
    cudaGraphSetConditional(condition, *number % 2 == 0);
}
// [/upstream]

/// The body for even numbers: n / 2; one thread.
/// @param number  an int in device memory, changed
__global__ void halve(int* number) { *number /= 2; }

/// The body for odd numbers: 3 n + 1; one thread.
/// @param number  an int in device memory, changed
__global__ void triple(int* number) { *number = 3 * *number + 1; }

/// What a graph with an IF node makes of a number.
/// @param bodies  1, or 2 with a body for zero
/// @param start   the number
int choose(unsigned bodies, int start) {
    lockstep::device_buffer<int> number(std::vector<int>(1, start));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graph;
    // [node]
    cudaGraphConditionalHandle condition{};
    lockstep::check(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
    const cudaGraphNode_t looked =
        lockstep::add_kernel_node(graph, {}, 1, 1, look, condition, number.data());
    cudaGraphNodeParams branch{};
    branch.type = cudaGraphNodeTypeConditional;
    branch.conditional.handle = condition;
    branch.conditional.type = cudaGraphCondTypeIf;
    branch.conditional.size = bodies;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, graph, &looked, nullptr, 1, &branch));
    // [/node]
    // [bodies]
    cudaGraph_t* body = branch.conditional.phGraph_out;
    lockstep::add_kernel_node(body[0], {}, 1, 1, halve, number.data());
    if (bodies == 2)
        lockstep::add_kernel_node(body[1], {}, 1, 1, triple, number.data());
    // [/bodies]
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    return number.to_host()[0];
}

int main() {
    lockstep::require_device();

    const int even = choose(1, 10), odd = choose(1, 7);
    const int even_else = choose(2, 10), odd_else = choose(2, 7);
    lockstep::report("one body: 10 becomes", even);
    lockstep::report("one body: 7 becomes", odd);
    lockstep::report("two bodies: 10 becomes", even_else);
    lockstep::report("two bodies: 7 becomes", odd_else);
    return even == 5 && odd == 7 && even_else == 5 && odd_else == 22 ? EXIT_SUCCESS
                                                                     : EXIT_FAILURE;
}
