// A graph is launched into one stream: do its branches run one after the other? No. The
// stream orders the launch as a whole; inside, only the edges count. Two kernels
// without a path between them take hardly longer than one.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Keeps its SM busy for 500 us, then counts itself; one thread.
/// @param ns     how long, in nanoseconds
/// @param count  an int in device memory, increased
__global__ void work(unsigned long long ns, int* count) {
    lockstep::busy_wait(ns);
    atomicAdd(count, 1);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool timed = !options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const unsigned long long ns = timed ? 500'000 : 1'000;
    lockstep::device_buffer<int> d_count(1);
    d_count.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    int* count = d_count.data();
    const lockstep::owned_stream stream;
    double ms[2] = {};
    for (const bool branches : {false, true}) {
        // [graph]
        lockstep::owned_graph graph;
        const auto first = lockstep::add_kernel_node(graph, {}, 1, 1, work, ns, count);
        lockstep::graph_nodes after;
        if (!branches) after = {first};  // an edge makes it a chain
        lockstep::add_kernel_node(graph, after, 1, 1, work, ns, count);
        const cudaGraphExec_t executable = graph.instantiate();
        // [/graph]
        const auto launch = [&] {
            lockstep::check(cudaGraphLaunch(executable, stream));  // one stream
            lockstep::check(cudaStreamSynchronize(stream));
        };
        ms[branches] = lockstep::time_on_host(launch, timed ? 20 : 1).median_ms;
    }
    const int expected = 2 * 2 * (timed ? 21 : 2);
    const bool right = d_count.to_host()[0] == expected;
    if (timed) {
        lockstep::report("two kernels in a chain", lockstep::measured{ms[0]}, "ms");
        lockstep::report("two in branches", lockstep::measured{ms[1]}, "ms");
    }
    lockstep::report("every kernel counted", right);
    return right && (!timed || ms[1] < 0.8 * ms[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
