// What does it cost to decide after each step whether there is another one? A host that
// reads a flag waits for the GPU in each round. A WHILE node decides on the GPU. For
// short steps that saves much, for long ones little.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [step]
/// One step: works for some time, then says whether there is another one; one thread.
/// @param work_ns    duration of the work in nanoseconds
/// @param steps      steps to make
/// @param made       an int in device memory, counts; 0 after the last step
/// @param go_on      in pinned host memory: whether there is another step
/// @param in_graph   whether there is a condition to set
/// @param condition  of the WHILE node
__global__ void step(unsigned long long work_ns, int steps, int* made, int* go_on,
                     bool in_graph, cudaGraphConditionalHandle condition) {
    lockstep::busy_wait(work_ns);
    const bool more = ++*made < steps;
    if (!more) *made = 0;
    *go_on = more;
    if (in_graph) cudaGraphSetConditional(condition, more);
}
// [/step]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool timed = !options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::csv_file series(csv, "work_us,how,~step_us");
    const int steps = !timed ? 3 : csv ? 40 : 100;
    const int runs = timed ? 20 : 1;
    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> made(std::vector<int>(1, 0));
    lockstep::check(cudaDeviceSynchronize());
    int* go_on = nullptr;
    lockstep::check(cudaMallocHost(&go_on, sizeof(int)));
    bool right = true;
    const auto measure = [&](unsigned long long work_us, const char* how, auto&& loop) {
        const lockstep::timing time = lockstep::time_on_host(loop, runs);
        right = right && made.to_host()[0] == 0 && *go_on == 0;
        const double us = 1e3 * time.median_ms / steps;
        series.row("%llu,%s,%.3f", work_us, how, us);
        const std::string label =
            (work_us < 10 ? "short: " : "long: ") + std::string(how);
        if (!csv) lockstep::report(label.c_str(), lockstep::measured{us}, "us");
    };
    std::vector<unsigned long long> works{2, 200};
    if (csv) works = {1, 2, 5, 10, 20, 50, 100, 200};
    for (const unsigned long long work_us : works) {
        const unsigned long long work_ns = 1'000 * work_us;
        // [known]
        measure(work_us, "number known", [&] {
            for (int i = 0; i < steps; ++i)
                step<<<1, 1, 0, stream>>>(work_ns, steps, made.data(), go_on, false, 0);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(stream));
        });
        // [/known]
        // [host]
        measure(work_us, "host decides", [&] {
            do {
                step<<<1, 1, 0, stream>>>(work_ns, steps, made.data(), go_on, false, 0);
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaStreamSynchronize(stream));
            } while (*go_on);
        });
        // [/host]
        // [while]
        lockstep::owned_graph graph;
        cudaGraphConditionalHandle condition{};
        lockstep::check(cudaGraphConditionalHandleCreate(&condition, graph, 1,
                                                         cudaGraphCondAssignDefault));
        cudaGraphNodeParams loop{};
        loop.type = cudaGraphNodeTypeConditional;
        loop.conditional.handle = condition;
        loop.conditional.type = cudaGraphCondTypeWhile;
        loop.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
        lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
        lockstep::add_kernel_node(loop.conditional.phGraph_out[0], {}, 1, 1, step,
                                  work_ns, steps, made.data(), go_on, true, condition);
        const cudaGraphExec_t executable = graph.instantiate();
        measure(work_us, "WHILE node", [&] {
            lockstep::check(cudaGraphLaunch(executable, stream));
            lockstep::check(cudaStreamSynchronize(stream));
        });
        // [/while]
    }
    series.finish();
    lockstep::check(cudaFreeHost(go_on));
    lockstep::report("steps right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
