// How many graphs may a graph launch? At most 120 fire and forget in one run of the
// launcher, and 255 tails may be pending. And a graph that is running, or about to, is
// not launched a second time.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What a kernel counts.
struct tally {
    int accepted;
    int first_error;  ///< of a launch that was refused
    int runs;  ///< of the graphs that were launched
};

/// The work of each device graph: counts; one thread.
/// @param counts  in device memory
__global__ void work(tally* counts) { atomicAdd(&counts->runs, 1); }

// [launcher]
/// Launches graphs one after the other; one thread.
/// @param n       number of graphs
/// @param graphs  n executable graphs in device memory
/// @param tail    whether as tails, or fire and forget
/// @param counts  in device memory
__global__ void launch_all(int n, const cudaGraphExec_t* graphs, bool tail,
                           tally* counts) {
    for (int i = 0; i < n; ++i) {
        const cudaError_t error =
            tail ? cudaGraphLaunch(graphs[i], cudaStreamGraphTailLaunch)
                 : cudaGraphLaunch(graphs[i], cudaStreamGraphFireAndForget);
        if (error == cudaSuccess) ++counts->accepted;
        if (error != cudaSuccess && !counts->first_error) counts->first_error = error;
    }
}
// [/launcher]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<tally> d_counts(1);
    std::vector<lockstep::owned_graph> graphs(300);
    std::vector<cudaGraphExec_t> ready;
    for (lockstep::owned_graph& graph : graphs) {
        lockstep::add_kernel_node(graph, {}, 1, 1, work, d_counts.data());
        ready.push_back(graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch));
        lockstep::check(cudaGraphUpload(ready.back(), stream));
    }
    // [run]
    const auto run = [&](std::vector<cudaGraphExec_t> list, bool tail) {
        const lockstep::device_buffer<cudaGraphExec_t> d_list(list);
        d_counts.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        lockstep::owned_graph launcher;
        lockstep::add_kernel_node(launcher, {}, 1, 1, launch_all, int(list.size()),
                                  d_list.data(), tail, d_counts.data());
        lockstep::check(cudaGraphLaunch(launcher.instantiate(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
        return d_counts.to_host()[0];
    };
    const tally forgotten = run(ready, false);
    const tally tails = run(ready, true);
    const tally twice = run({ready[0], ready[0]}, false);
    // [/run]
    const auto show = [](const char* accepted, const char* error, const tally& counts) {
        lockstep::report(accepted, counts.accepted);
        lockstep::report(
            error, cudaGetErrorName(static_cast<cudaError_t>(counts.first_error)));
    };
    show("fire and forget accepted", "the next one", forgotten);
    show("tails accepted", "the next one", tails);
    show("one graph twice: accepted", "the second one", twice);
    const bool all_ran = forgotten.runs == forgotten.accepted &&
                         tails.runs == tails.accepted && twice.runs == twice.accepted;
    lockstep::report("all accepted ones ran", all_ran);
    const bool right = all_ran && forgotten.accepted == 120 && tails.accepted == 255 &&
                       twice.accepted == 1 &&
                       twice.first_error == cudaErrorInvalidValue;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
