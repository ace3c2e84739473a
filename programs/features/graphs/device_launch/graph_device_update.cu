// When does a device graph see new parameters? Only after the next upload: a launch
// from the device before that still runs what was uploaded.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The work of the device graph: stores a number; one thread.
/// @param number  the number
/// @param where   an int in device memory, written
__global__ void store(int number, int* where) { *where = number; }

/// Launches a device graph; one thread.
/// @param graph  the executable graph
__global__ void launch(cudaGraphExec_t graph) {
    cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> where(1);
    where.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graph, host_graph;
    const cudaGraphNode_t node =
        lockstep::add_kernel_node(graph, {}, 1, 1, store, 1, where.data());
    const cudaGraphExec_t ready =
        graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
    lockstep::check(cudaGraphUpload(ready, stream));
    lockstep::add_kernel_node(host_graph, {}, 1, 1, launch, ready);
    const cudaGraphExec_t launcher = host_graph.instantiate();
    const auto stored_by_a_launch = [&] {
        lockstep::check(cudaGraphLaunch(launcher, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        return where.to_host()[0];
    };
    const int before = stored_by_a_launch();

    // [update]
    int number = 2;
    int* d_where = where.data();
    void* parameters[] = {&number, &d_where};
    cudaKernelNodeParams changed{};
    changed.func = reinterpret_cast<void*>(store);
    changed.gridDim = dim3(1);
    changed.blockDim = dim3(1);
    changed.kernelParams = parameters;
    lockstep::check(cudaGraphExecKernelNodeSetParams(ready, node, &changed));
    const int not_uploaded = stored_by_a_launch();
    lockstep::check(cudaGraphUpload(ready, stream));
    const int uploaded = stored_by_a_launch();
    // [/update]
    lockstep::report("before the update", before);
    lockstep::report("after the update", not_uploaded);
    lockstep::report("after the next upload", uploaded);
    return before == 1 && not_uploaded == 1 && uploaded == 2 ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
