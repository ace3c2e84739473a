// What do programmatic edges save in a graph? A chain of a hundred kernels, each with a
// part that needs no results, with ordinary edges and with programmatic ones. Short
// kernels gain much, long ones little.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int kernels = 100;

// [step]
/// One kernel of the chain; blocks of 32 threads.
/// @param prologue_ns  time of the part that needs no results of the kernel before
/// @param work_ns      time of the part that does
/// @param data         one int for each block in device memory, increased by one
__global__ void step(unsigned long long prologue_ns, unsigned long long work_ns,
                     int* data) {
    lockstep::busy_wait(prologue_ns);
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(work_ns);
    if (threadIdx.x == 0) ++data[blockIdx.x];
}
// [/step]

// [chain]
/// A chain of kernels.
/// @param port     of each edge
/// @param blocks   of each kernel
/// @param work_ns  duration of the work that needs results
/// @param data     one int for each block in device memory
lockstep::owned_graph chain(unsigned char port, int blocks, unsigned long long work_ns,
                            int* data) {
    lockstep::owned_graph graph;
    cudaGraphEdgeData edge{};
    edge.from_port = port;
    edge.type = port == cudaGraphKernelNodePortDefault
                    ? cudaGraphDependencyTypeDefault
                    : cudaGraphDependencyTypeProgrammatic;
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < kernels; ++i) {
        const cudaGraphNode_t node = lockstep::add_kernel_node(
            graph, {}, blocks, 32, step, 5'000ULL, work_ns, data);
        if (last)
            lockstep::check(cudaGraphAddDependencies(graph, &last, &node, &edge, 1));
        last = node;
    }
    graph.instantiate();
    return graph;
}
// [/chain]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int runs = options.flag("untimed") ? 1 : 20;
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 40;
    const lockstep::owned_stream stream;
    std::size_t wrong = 0;
    const auto run = [&](const char* label, unsigned char port,
                         unsigned long long work_ns) {
        lockstep::device_buffer<int> data(std::vector<int>(blocks, 0));
        lockstep::check(cudaDeviceSynchronize());
        const lockstep::owned_graph graph = chain(port, blocks, work_ns, data.data());
        const lockstep::timing time = lockstep::time_on_device(
            [&] { lockstep::check(cudaGraphLaunch(graph.executable(), stream)); }, runs,
            stream);
        lockstep::report(label, lockstep::measured{1e3 * time.median_ms / kernels},
                         "us");
        wrong += lockstep::count_mismatches(
            data.to_host(), std::vector<int>(blocks, (runs + 3) * kernels));
    };
    run("short: ordinary edges", cudaGraphKernelNodePortDefault, 5'000);
    run("short: programmatic edges", cudaGraphKernelNodePortProgrammatic, 5'000);
    run("short: at launch completion", cudaGraphKernelNodePortLaunchCompletion, 5'000);
    run("long: ordinary edges", cudaGraphKernelNodePortDefault, 200'000);
    run("long: programmatic edges", cudaGraphKernelNodePortProgrammatic, 200'000);
    lockstep::report("wrong counts", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
