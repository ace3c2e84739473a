// What happens to a launch from the device that breaks a rule? The graph was not
// uploaded; the kernel is in no graph; the stream is an ordinary one.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The work of the device graph: counts its runs; one thread.
/// @param runs  an int in device memory, increased by one
__global__ void work(int* runs) { ++*runs; }

/// Launches a device graph; one thread.
/// @param graph     the executable graph
/// @param ordinary  whether into the default stream, which is wrong
/// @param error     an int in device memory: what the launch returned
__global__ void launch(cudaGraphExec_t graph, bool ordinary, int* error) {
    *error = ordinary ? cudaGraphLaunch(graph, nullptr)
                      : cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mistake =
        options.choice("mistake", {"none", "upload", "kernel", "stream"});
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> runs(std::vector<int>(1, 0)), d_error(1);
    d_error.fill_bytes(0xFF);
    lockstep::owned_graph graph, host_graph;
    lockstep::add_kernel_node(graph, {}, 1, 1, work, runs.data());
    const cudaGraphExec_t ready =
        graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
    cudaError_t launched = cudaSuccess;  // the kernel that launches
    // [mistakes]
    if (mistake != 1) lockstep::check(cudaGraphUpload(ready, stream));
    lockstep::check(cudaDeviceSynchronize());
    if (mistake == 2) {
        launch<<<1, 1, 0, stream>>>(ready, false, d_error.data());
        launched = cudaGetLastError();
    } else {
        lockstep::add_kernel_node(host_graph, {}, 1, 1, launch, ready, mistake == 3,
                                  d_error.data());
        lockstep::check(cudaGraphLaunch(host_graph.instantiate(), stream));
    }
    const cudaError_t afterwards = cudaStreamSynchronize(stream);
    // [/mistakes]
    lockstep::report("launch of the kernel", cudaGetErrorName(launched));
    lockstep::report("synchronization", cudaGetErrorName(afterwards));
    if (launched != cudaSuccess || afterwards != cudaSuccess)
        return mistake ? EXIT_SUCCESS : EXIT_FAILURE;
    const auto error = static_cast<cudaError_t>(d_error.to_host()[0]);
    const int counted = runs.to_host()[0];
    lockstep::report("launch by the kernel", cudaGetErrorName(error));
    lockstep::report("runs of the device graph", counted);
    const bool right = mistake ? error != cudaSuccess && counted == 0
                               : error == cudaSuccess && counted == 1;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
