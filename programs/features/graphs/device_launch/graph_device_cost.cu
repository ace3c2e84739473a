// What does a step cost that the GPU launches itself? A hundred steps, each after the
// one before: launched by a host that knows their number, launched by a host that waits
// for each, launched by the graph as its own tail, and run by a WHILE node.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int steps = 100;

/// Counts a step; one thread.
/// @param done  an int in device memory, increased by one
__global__ void step(int* done) { atomicAdd(done, 1); }

// [tail]
/// Counts a step and launches its own graph again until all are done; one thread.
/// @param left  an int in device memory, decreased by one; set to `steps` at the end
/// @param done  an int in device memory, increased by one
__global__ void step_and_tail(int* left, int* done) {
    ++*done;
    if (--*left > 0)
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    else
        *left = steps;
}
// [/tail]

/// Counts a step and ends the WHILE loop when all are done; one thread.
/// @param go_on  condition of the WHILE node
/// @param left   an int in device memory, as above
/// @param done   an int in device memory, increased by one
__global__ void step_and_set(cudaGraphConditionalHandle go_on, int* left, int* done) {
    ++*done;
    if (--*left > 0) return;
    *left = steps;
    cudaGraphSetConditional(go_on, 0);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int runs = options.flag("untimed") ? 1 : 40;
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> done(std::vector<int>(1, 0));
    lockstep::device_buffer<int> left(std::vector<int>(1, steps));
    lockstep::check(cudaDeviceSynchronize());
    int expected = 0;
    const auto measure = [&](const char* label, auto&& work) {
        const lockstep::timing time = lockstep::time_on_host(
            [&] {
                work();
                lockstep::check(cudaStreamSynchronize(stream));
            },
            runs);
        lockstep::report(label, lockstep::measured{1e3 * time.median_ms / steps}, "us");
        expected += (runs + 1) * steps;
    };

    // [dependent]
    measure("host: kernels", [&] {
        for (int i = 0; i < steps; ++i) step<<<1, 1, 0, stream>>>(done.data());
        lockstep::check(cudaGetLastError());
    });
    lockstep::owned_graph one;
    lockstep::add_kernel_node(one, {}, 1, 1, step, done.data());
    one.instantiate();
    measure("host: graphs", [&] {
        for (int i = 0; i < steps; ++i)
            lockstep::check(cudaGraphLaunch(one.executable(), stream));
    });
    measure("host: graphs, waits", [&] {
        for (int i = 0; i < steps; ++i) {
            lockstep::check(cudaGraphLaunch(one.executable(), stream));
            lockstep::check(cudaStreamSynchronize(stream));  // and could look
        }
    });
    lockstep::owned_graph self;
    lockstep::add_kernel_node(self, {}, 1, 1, step_and_tail, left.data(), done.data());
    self.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
    measure("GPU: own tail",
            [&] { lockstep::check(cudaGraphLaunch(self.executable(), stream)); });
    // [/dependent]
    lockstep::owned_graph loop_graph;
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    lockstep::check(cudaGraphConditionalHandleCreate(
        &loop.conditional.handle, loop_graph, 1, cudaGraphCondAssignDefault));
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, loop_graph, nullptr, nullptr, 0, &loop));
    lockstep::add_kernel_node(loop.conditional.phGraph_out[0], {}, 1, 1, step_and_set,
                              loop.conditional.handle, left.data(), done.data());
    loop_graph.instantiate();
    measure("GPU: WHILE node",
            [&] { lockstep::check(cudaGraphLaunch(loop_graph.executable(), stream)); });

    const bool right = done.to_host()[0] == expected;
    lockstep::report("all steps done", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
