// A graph of two kernels in a row: the first one clears an array, the second one looks
// up elements of a table, which every launch of the graph uses again. Give the second
// kernel's node, and no other, an access policy window on the table: persisting, three
// quarters of its lines, streaming for the rest, and no larger than the device allows.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;

/// Clears an array.
/// @param x  n ints in device memory
__global__ void clear(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

/// Looks up an element for each thread.
/// @param table  n ints in device memory
/// @param x      n ints in device memory, increased by what was found
__global__ void look_up(const int* table, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += table[(i * 37) % n];
}

/// The window of a node.
cudaAccessPolicyWindow window_of(cudaGraphNode_t node) {
    cudaKernelNodeAttrValue found{};
    lockstep::check(cudaGraphKernelNodeGetAttribute(
        node, cudaKernelNodeAttributeAccessPolicyWindow, &found));
    return found.accessPolicyWindow;
}

/// Gives a kernel the window.
/// @param first, second  the two nodes, in the order in which they run
/// @param table          the table in device memory
/// @param bytes          its size
/// @param largest        the largest window that the device allows, in bytes
void keep_table([[maybe_unused]] cudaGraphNode_t first,
                [[maybe_unused]] cudaGraphNode_t second, [[maybe_unused]] int* table,
                [[maybe_unused]] std::size_t bytes,
                [[maybe_unused]] std::size_t largest) {
    // [task]
    cudaKernelNodeAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = table;
    attribute.accessPolicyWindow.num_bytes = std::min(bytes, largest);
    attribute.accessPolicyWindow.hitRatio = 0.75f;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaGraphKernelNodeSetAttribute(
        second, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
    //= given
    //| // Set the attribute of the node here.
    //= mutant first_node
    //| cudaKernelNodeAttrValue attribute{};
    //| attribute.accessPolicyWindow = {table, std::min(bytes, largest), 0.75f,
    //|                                 cudaAccessPropertyPersisting,
    //|                                 cudaAccessPropertyStreaming};
    //| lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|     first, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
    //= mutant too_large
    //| cudaKernelNodeAttrValue attribute{};
    //| attribute.accessPolicyWindow = {table, bytes, 0.75f,
    //|                                 cudaAccessPropertyPersisting,
    //|                                 cudaAccessPropertyStreaming};
    //| cudaGraphKernelNodeSetAttribute(
    //|     second, cudaKernelNodeAttributeAccessPolicyWindow, &attribute);
    //= mutant properties_swapped
    //| cudaKernelNodeAttrValue attribute{};
    //| attribute.accessPolicyWindow = {table, std::min(bytes, largest), 0.75f,
    //|                                 cudaAccessPropertyStreaming,
    //|                                 cudaAccessPropertyNormal};
    //| lockstep::check(cudaGraphKernelNodeSetAttribute(
    //|     second, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
    // [/task]
}

int main() {
    lockstep::require_device(80);
    std::vector<int> table(n), expected(n);
    for (int i = 0; i < n; ++i) table[i] = 3 * i;
    for (int i = 0; i < n; ++i) expected[i] = table[(i * 37) % n];
    lockstep::device_buffer<int> d_table(table), d_x(n);
    d_x.fill_bytes(0xFF);
    lockstep::owned_graph graph;
    const cudaGraphNode_t first =
        lockstep::add_kernel_node(graph, {}, n / 256, 256, clear, d_x.data());
    const cudaGraphNode_t second = lockstep::add_kernel_node(
        graph, {first}, n / 256, 256, look_up, d_table.data(), d_x.data());

    const std::size_t largest = d_table.bytes() / 2;  // as if the device allowed less
    keep_table(first, second, d_table.data(), d_table.bytes(), largest);

    lockstep::check(cudaGraphLaunch(graph.instantiate(), nullptr));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::exercise_verdict verdict(-1);
    verdict.equal("what was looked up", d_x.to_host(), expected);
    const cudaAccessPolicyWindow found = window_of(second), other = window_of(first);
    verdict.holds("first node has no window", other.num_bytes == 0,
                  "the node of the kernel that clears has one");
    verdict.holds("second node has one", found.base_ptr == d_table.data(),
                  "the window does not begin at the table, or is not set");
    verdict.holds("size of the window", found.num_bytes == largest,
                  "it is the smaller of the table and what the device allows");
    verdict.holds("hit ratio", found.hitRatio == 0.75f,
                  "three quarters of the lines are to be persisting");
    verdict.holds("properties",
                  found.hitProp == cudaAccessPropertyPersisting &&
                      found.missProp == cudaAccessPropertyStreaming,
                  "persisting for the hits, streaming for the misses");
    return verdict.finish();
}
