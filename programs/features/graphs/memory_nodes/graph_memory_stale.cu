// What does a graph's memory hold for a kernel that runs after the free? Perhaps the
// data of another allocation, without any error: this kernel reads what a later
// allocation of the same graph has stored at the same address.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1000;

/// Writes one value to all elements; one block.
/// @param value  the value
/// @param x      n ints in device memory, written
__global__ void fill(int value, int* x) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = value;
}

/// Copies the first element.
/// @param x      n ints in device memory
/// @param found  an int in device memory, written
__global__ void read_first(const int* x, int* found) { *found = x[0]; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fixed = options.flag("fixed");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> found(1);
    found.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graph;
    int* first = nullptr;
    int* second = nullptr;
    // [too-late]
    cudaGraphNode_t last = lockstep::add_allocation_node(graph, {}, n, &first);
    last = lockstep::add_kernel_node(graph, {last}, 1, 256, fill, 11, first);
    if (fixed)  // before the free
        last = lockstep::add_kernel_node(graph, {last}, 1, 1, read_first, first,
                                         found.data());
    last = lockstep::add_free_node(graph, {last}, first);
    last = lockstep::add_allocation_node(graph, {last}, n, &second);
    last = lockstep::add_kernel_node(graph, {last}, 1, 256, fill, 22, second);
    last = lockstep::add_free_node(graph, {last}, second);
    if (!fixed)
        last = lockstep::add_kernel_node(graph, {last}, 1, 1, read_first, first,
                                         found.data());
    // [/too-late]
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int read = found.to_host()[0];
    lockstep::report("stored in the first", 11);
    lockstep::report("read from the first", read);
    return (read == 11) == fixed ? EXIT_SUCCESS : EXIT_FAILURE;
}
