// How does one kernel of a graph get an access policy window? Its node has an attribute
// for it, which can be set before the graph is instantiated, and read back. The node of
// the other kernel has none, and both compute the same as without.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 20;

/// Adds a table to an array.
/// @param table  n ints in device memory
/// @param x      n ints in device memory
__global__ void add(const int* table, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += table[i];
}

/// Doubles an array.
/// @param x  n ints in device memory
__global__ void twice(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

/// Prints the window of a kernel node.
void show(const char* label, cudaGraphNode_t node, const int* table) {
    static const char* const names[] = {"normal", "streaming", "persisting"};
    // [get]
    cudaKernelNodeAttrValue found{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributeAccessPolicyWindow, &found));
    // [/get]
    const cudaAccessPolicyWindow& window = found.accessPolicyWindow;
    const char* base = window.base_ptr == table ? "table" : "other";
    std::printf("%-8s%-8s%12zu%8g  %-12s%s\n", label, window.base_ptr ? base : "none",
                window.num_bytes, static_cast<double>(window.hitRatio),
                names[window.hitProp], names[window.missProp]);
}

int main() {
    lockstep::require_device(80);
    lockstep::device_buffer<int> d_table(std::vector<int>(n, 1));
    lockstep::device_buffer<int> d_x(std::vector<int>(n, 20));

    lockstep::owned_graph graph;
    const cudaGraphNode_t first = lockstep::add_kernel_node(
        graph, {}, n / 256, 256, add, d_table.data(), d_x.data());
    const cudaGraphNode_t second =
        lockstep::add_kernel_node(graph, {first}, n / 256, 256, twice, d_x.data());

    // [set]
    cudaKernelNodeAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = d_table.data();
    attribute.accessPolicyWindow.num_bytes = d_table.bytes();
    attribute.accessPolicyWindow.hitRatio = 1;  // the set-aside has room for the table
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaGraphKernelNodeSetAttribute(
        first, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
    // [/set]

    std::printf("%-8s%-8s%12s%8s  %-12s%s\n", "node", "base", "bytes", "ratio", "hit",
                "miss");
    show("add", first, d_table.data());
    show("twice", second, d_table.data());
    lockstep::check(cudaGraphLaunch(graph.instantiate(), nullptr));
    lockstep::check(cudaDeviceSynchronize());
    bool right = true;
    for (const int x : d_x.to_host()) right = right && x == 42;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
