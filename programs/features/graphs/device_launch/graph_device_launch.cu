// Can a kernel launch a graph? Yes, if the graph was instantiated for it and uploaded,
// and if the kernel is itself part of a graph. There are three ways to upload.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The work of the device graph: counts its runs; one thread.
/// @param runs  an int in device memory, increased by one
__global__ void work(int* runs) { ++*runs; }

// [launcher]
/// Launches a device graph; one thread.
/// @param graph  the executable graph, as on the host
/// @param error  an int in device memory: what the launch returned
__global__ void launch(cudaGraphExec_t graph, int* error) {
    *error = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}
// [/launcher]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    const std::vector<int> zeros(3, 0);
    lockstep::device_buffer<int> runs(zeros), errors(std::vector<int>(3, -1));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graphs[3];
    for (int i = 0; i < 3; ++i)
        lockstep::add_kernel_node(graphs[i], {}, 1, 1, work, runs.data() + i);
    cudaGraphExec_t ready[3] = {};

    // [upload]
    lockstep::check(cudaGraphInstantiate(&ready[0], graphs[0],
                                         cudaGraphInstantiateFlagDeviceLaunch));
    lockstep::check(cudaGraphUpload(ready[0], stream));
    // [/upload]

    // [with-params]
    cudaGraphInstantiateParams params{};
    params.flags =
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUpload;
    params.uploadStream = stream;
    lockstep::check(cudaGraphInstantiateWithParams(&ready[1], graphs[1], &params));
    // [/with-params]

    // [host-launch]
    lockstep::check(cudaGraphInstantiate(&ready[2], graphs[2],
                                         cudaGraphInstantiateFlagDeviceLaunch));
    lockstep::check(cudaGraphLaunch(ready[2], stream));
    // [/host-launch]
    lockstep::check(cudaStreamSynchronize(stream));

    // [launch]
    lockstep::owned_graph host_graph;
    for (int i = 0; i < 3; ++i)
        lockstep::add_kernel_node(host_graph, {}, 1, 1, launch, ready[i],
                                  errors.data() + i);
    lockstep::check(cudaGraphLaunch(host_graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));  // the device graphs have ended
    // [/launch]

    const std::vector<int> counted = runs.to_host();
    lockstep::report("cudaGraphUpload: runs", counted[0]);
    lockstep::report("upload flag: runs", counted[1]);
    lockstep::report("launched by the host: runs", counted[2]);
    const bool no_errors = errors.to_host() == zeros;
    lockstep::report("launches without an error", no_errors);
    for (const cudaGraphExec_t executable : ready)
        lockstep::check(cudaGraphExecDestroy(executable));
    return no_errors && counted == std::vector<int>{1, 1, 2} ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
