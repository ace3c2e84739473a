// In which order do graphs run that graphs have launched? Fire and forget: at once, and
// the launcher is complete only when they are. Tail: when the launcher is complete, in
// the order of the launches, and tails of a tail before the tails that wait already.

#include <cstdlib>
#include <string>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Which graphs have ended, one letter each.
struct order_log {
    int length;
    char letters[16];
};

/// Appends a letter; one thread.
__device__ void append(order_log* where, char letter) {
    where->letters[atomicAdd(&where->length, 1)] = letter;
}

/// The whole of a graph that launches nothing; one thread.
/// @param letter   its name
/// @param time_ns  how long it takes
/// @param where    in device memory
__global__ void leaf(char letter, unsigned long long time_ns, order_log* where) {
    lockstep::busy_wait(time_ns);
    append(where, letter);
}

// [tail]
/// A graph that launches two tails; one thread.
/// @param letter  its name
/// @param first   the graph to run after this one
/// @param second  the graph to run after that
/// @param where   in device memory
__global__ void two_tails(char letter, cudaGraphExec_t first, cudaGraphExec_t second,
                          order_log* where) {
    cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
    append(where, letter);
}
// [/tail]

// [parent]
/// The first graph: two tails, and a slow child; one thread.
/// @param slow    launched at once
/// @param first   the graph to run after this one and its child
/// @param second  the graph to run after that
/// @param where   in device memory
__global__ void parent(cudaGraphExec_t slow, cudaGraphExec_t first,
                       cudaGraphExec_t second, order_log* where) {
    cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
    cudaGraphLaunch(slow, cudaStreamGraphFireAndForget);
    append(where, 'P');
}
// [/parent]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<order_log> d_log(1);
    d_log.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const auto upload = [&](lockstep::owned_graph& graph) {
        const cudaGraphExec_t executable =
            graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
        lockstep::check(cudaGraphUpload(executable, stream));
        return executable;
    };
    // [graphs]
    lockstep::owned_graph slow, a, b, c, d, host_graph;
    lockstep::add_kernel_node(slow, {}, 1, 1, leaf, 's', 2'000'000ULL, d_log.data());
    lockstep::add_kernel_node(b, {}, 1, 1, leaf, 'B', 0ULL, d_log.data());
    lockstep::add_kernel_node(c, {}, 1, 1, leaf, 'C', 0ULL, d_log.data());
    lockstep::add_kernel_node(d, {}, 1, 1, leaf, 'D', 0ULL, d_log.data());
    lockstep::add_kernel_node(a, {}, 1, 1, two_tails, 'A', upload(c), upload(d),
                              d_log.data());
    lockstep::add_kernel_node(host_graph, {}, 1, 1, parent, upload(slow), upload(a),
                              upload(b), d_log.data());
    // [/graphs]
    lockstep::check(cudaGraphLaunch(host_graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    const order_log found = d_log.to_host()[0];
    const std::string order(found.letters, found.length);
    lockstep::report("order of the ends", order.c_str());
    return order == "PsACDB" ? EXIT_SUCCESS : EXIT_FAILURE;
}
