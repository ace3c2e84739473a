// When does a graph with an allocation node get its memory: when the node is added, at
// the instantiation, or at the first launch? At the launch: each step is timed, and the
// memory that graphs reserve and the GPU has in use is read after it, beside a graph
// that uses memory of the program.

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = std::size_t{1} << 30;

/// Writes to the last element; one thread.
/// @param x  bytes in device memory
__global__ void touch(char* x) { x[bytes - 1] = 1; }

/// Memory that graphs of the program reserve, in bytes.
std::size_t reserved() {
    std::size_t amount = 0;
    lockstep::check(
        cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &amount));
    return amount;
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    // [graphs]
    lockstep::device_buffer<char> own(bytes);
    lockstep::owned_graph warm, fixed;  // use memory of the program
    for (const auto* graph : {&warm, &fixed})
        lockstep::add_kernel_node(*graph, {}, 1, 1, touch, own.data());
    lockstep::check(cudaGraphLaunch(warm.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    const double before = lockstep::memory_in_use();
    lockstep::owned_graph owning;  // allocates its own
    char* x = nullptr;
    const cudaGraphNode_t allocate =
        lockstep::add_allocation_node(owning, {}, bytes, &x);
    const cudaGraphNode_t touched =
        lockstep::add_kernel_node(owning, {allocate}, 1, 1, touch, x);
    lockstep::add_free_node(owning, {touched}, x);
    // [/graphs]
    const auto show_memory = [&](const std::string& when) {
        lockstep::report((when + ": reserved").c_str(), reserved() >> 20, "MiB");
        lockstep::report(
            (when + ": in use").c_str(),
            lockstep::measured{(lockstep::memory_in_use() - before) / (1 << 20)},
            "MiB");
    };
    // [steps]
    const auto time_us = [](auto&& work) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const auto end = std::chrono::steady_clock::now();
        return std::chrono::duration<double, std::micro>(end - begin).count();
    };
    const auto steps = [&](lockstep::owned_graph& graph, const std::string& name,
                           bool with_memory) {
        cudaGraphExec_t executable = nullptr;
        const auto instantiate = [&] { executable = graph.instantiate(); };
        const auto launch = [&] {
            lockstep::check(cudaGraphLaunch(executable, stream));
        };
        const auto report = [&](const char* step, double us) {
            lockstep::check(cudaStreamSynchronize(stream));
            lockstep::report((name + ", " + step).c_str(), lockstep::measured{us},
                             "us");
            if (with_memory) show_memory(std::string("  ") + step);
        };
        if (with_memory) show_memory("  nodes added");
        report("instantiation", time_us(instantiate));
        report("first launch", time_us(launch));
        report("second launch", time_us(launch));
        report("third launch", time_us(launch));
    };
    steps(fixed, "own memory", false);
    steps(owning, "graph memory", true);
    // [/steps]
    // [again]
    lockstep::check(cudaDeviceGraphMemTrim(0));
    show_memory("  trim");
    lockstep::owned_graph second;  // allocates as much, where graphs hold nothing
    const cudaGraphNode_t allocate_again =
        lockstep::add_allocation_node(second, {}, bytes, &x);
    const cudaGraphNode_t touched_again =
        lockstep::add_kernel_node(second, {allocate_again}, 1, 1, touch, x);
    lockstep::add_free_node(second, {touched_again}, x);
    steps(second, "second graph", false);
    // [/again]
    lockstep::check(cudaDeviceGraphMemTrim(0));
    return reserved() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
