// What does it cost to launch many independent graphs? A hundred graphs of one short
// kernel each: launched one after the other by the host, into one stream or four, or at
// once by the threads of one block, fire and forget.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int count = 100;

/// The work of each graph: counts; one thread.
/// @param done  an int in device memory, increased by one
__global__ void work(int* done) { atomicAdd(done, 1); }

// [launcher]
/// Launches all graphs, each by one thread; one block.
/// @param graphs  `count` executable graphs in device memory
__global__ void launch_all(const cudaGraphExec_t* graphs) {
    cudaGraphLaunch(graphs[threadIdx.x], cudaStreamGraphFireAndForget);
}
// [/launcher]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int runs = options.flag("untimed") ? 1 : 40;
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> done(std::vector<int>(1, 0));
    std::vector<lockstep::owned_graph> graphs(count);
    std::vector<cudaGraphExec_t> ready;
    for (lockstep::owned_graph& graph : graphs) {
        lockstep::add_kernel_node(graph, {}, 1, 1, work, done.data());
        ready.push_back(graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch));
        lockstep::check(cudaGraphUpload(ready.back(), stream));
    }
    std::vector<lockstep::owned_graph> ordinary(count);  // not for device launch
    for (lockstep::owned_graph& graph : ordinary) {
        lockstep::add_kernel_node(graph, {}, 1, 1, work, done.data());
        lockstep::check(cudaGraphUpload(graph.instantiate(), stream));
    }
    const std::vector<lockstep::owned_stream> streams(4);
    const lockstep::device_buffer<cudaGraphExec_t> d_ready(ready);
    lockstep::owned_graph launcher;
    lockstep::add_kernel_node(launcher, {}, 1, count, launch_all, d_ready.data());
    launcher.instantiate();
    lockstep::check(cudaDeviceSynchronize());

    const auto median_us = [&](auto&& launch) {
        return 1e3 * lockstep::time_on_host(
                         [&] {
                             launch();
                             lockstep::check(cudaStreamSynchronize(stream));
                         },
                         runs)
                         .median_ms;
    };
    // [both]
    const double host_us = median_us([&] {
        for (const cudaGraphExec_t graph : ready)
            lockstep::check(cudaGraphLaunch(graph, stream));
    });
    const double kernel_us = median_us(
        [&] { lockstep::check(cudaGraphLaunch(launcher.executable(), stream)); });
    // [/both]
    // [ordinary]
    const double ordinary_us = median_us([&] {
        for (const lockstep::owned_graph& graph : ordinary)
            lockstep::check(cudaGraphLaunch(graph.executable(), stream));
    });
    const double four_us = median_us([&] {
        for (int i = 0; i < count; ++i)
            lockstep::check(cudaGraphLaunch(ordinary[i].executable(), streams[i % 4]));
        for (const lockstep::owned_stream& one : streams)
            lockstep::check(cudaStreamSynchronize(one));
    });
    // [/ordinary]
    lockstep::report("graphs", count);
    lockstep::report("launched by the host", lockstep::measured{host_us}, "us");
    lockstep::report("host, ordinary graphs", lockstep::measured{ordinary_us}, "us");
    lockstep::report("host, four streams", lockstep::measured{four_us}, "us");
    lockstep::report("launched by a kernel", lockstep::measured{kernel_us}, "us");
    lockstep::report("for each, by the host", lockstep::measured{host_us / count},
                     "us");
    lockstep::report("for each, by a kernel", lockstep::measured{kernel_us / count},
                     "us");
    const bool right = done.to_host()[0] == 4 * (runs + 1) * count;
    lockstep::report("all graphs ran", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
