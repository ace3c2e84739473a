// May several host threads build graphs at once? Each its own: a cudaGraph_t is not
// safe for use by two threads, and CUDA does not lock it. Here four threads build one
// graph each, and the first thread puts them together.

#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds a number to a sum; one thread.
/// @param number  the number
/// @param sum     an int in device memory, grows
__global__ void add(int number, int* sum) { *sum += number; }

int main() {
    lockstep::require_device();

    constexpr int parts = 4;
    constexpr int kernels = 200;
    lockstep::device_buffer<int> sums(std::vector<int>(parts, 0));
    lockstep::check(cudaDeviceSynchronize());

    // [build]
    std::vector<lockstep::owned_graph> graphs(parts);
    std::vector<std::thread> threads;
    for (int part = 0; part < parts; ++part)
        threads.emplace_back([&, part] {
            cudaGraphNode_t last = nullptr;
            for (int i = 0; i < kernels; ++i)
                last = lockstep::add_kernel_node(
                    graphs[part],
                    last ? lockstep::graph_nodes{last} : lockstep::graph_nodes{}, 1, 1,
                    add, i, sums.data() + part);
        });
    for (std::thread& thread : threads) thread.join();
    // [/build]

    // [join]
    lockstep::owned_graph whole;
    for (const lockstep::owned_graph& graph : graphs) {
        cudaGraphNode_t node = nullptr;
        lockstep::check(cudaGraphAddChildGraphNode(&node, whole, nullptr, 0, graph));
    }
    // [/join]
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(whole.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    int right = 0;
    for (const int sum : sums.to_host()) right += sum == kernels * (kernels - 1) / 2;
    lockstep::report("graphs built by threads", parts);
    lockstep::report("right sums", right);
    return right == parts ? EXIT_SUCCESS : EXIT_FAILURE;
}
