// What does it cost to change arguments: instantiate again, update the whole executable
// graph, or set the parameters of one node? The first two grow with the number of
// nodes, and the update is the cheaper one; setting one node does not grow at all.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Adds a number.
/// @param number  what is added
/// @param x       one unsigned in device memory
__global__ void add(unsigned number, unsigned* x) { *x += number; }

/// Median time of an action in microseconds, over 25 rounds.
/// @param action  what is timed
template <class Action>
double median_us(Action&& action) {
    std::vector<double> samples_ms;
    for (int round = -2; round < 25; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        action();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        if (round >= 0) samples_ms.push_back(time.count());
    }
    return 1e3 * lockstep::summarize(samples_ms).median_ms;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int given = options.integer("nodes", 100, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<unsigned> d_x(1);
    lockstep::csv_file series(csv, "nodes,how,~us");
    bool right = true;
    for (const int nodes : csv ? std::vector<int>{1, 3, 10, 30, 100, 300, 1000}
                               : std::vector<int>{given}) {
        d_x.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        unsigned number = 1;
        unsigned* x = d_x.data();
        const auto capture = [&] {
            cudaGraph_t graph = nullptr;
            lockstep::check(
                cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
            for (int node = 0; node < nodes; ++node)
                add<<<1, 1, 0, stream>>>(number, x);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamEndCapture(stream, &graph));
            return graph;
        };
        const cudaGraph_t graph = capture();
        number = 2;
        const cudaGraph_t changed = capture();
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));

        void* kernel_arguments[] = {&number, &x};
        cudaKernelNodeParams kernel{};
        kernel.func = reinterpret_cast<void*>(add);
        kernel.gridDim = kernel.blockDim = dim3(1);
        kernel.kernelParams = kernel_arguments;
        cudaGraphNode_t root = nullptr;
        std::size_t one = 1;
        lockstep::check(cudaGraphGetRootNodes(graph, &root, &one));
        const cudaGraph_t graphs[] = {graph, changed};
        int turn = 0;

        // [three-ways]
        const double instantiate_us = median_us([&] {
            cudaGraphExec_t again = nullptr;
            lockstep::check(cudaGraphInstantiate(&again, changed, 0));
            lockstep::check(cudaGraphExecDestroy(again));
        });
        const double update_us = median_us([&] {
            turn = 1 - turn;  // so that every node changes each time
            cudaGraphExecUpdateResultInfo info{};
            lockstep::check(cudaGraphExecUpdate(executable, graphs[turn], &info));
        });
        const double node_us = median_us([&] {
            number = number == 5 ? 4 : 5;
            lockstep::check(
                cudaGraphExecKernelNodeSetParams(executable, root, &kernel));
        });
        // [/three-ways]
        const double capture_us =
            median_us([&] { lockstep::check(cudaGraphDestroy(capture())); });

        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        right = right && d_x.to_host()[0] == 2u * (nodes - 1) + 5;
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(graph));
        lockstep::check(cudaGraphDestroy(changed));
        if (!csv) lockstep::report("kernels in the graph", nodes);
        const auto row = [&](const char* label, const char* how, double us) {
            series.row("%d,%s,%.4g", nodes, how, us);
            if (!csv) lockstep::report(label, lockstep::measured{us}, "us");
        };
        row("capture it again", "capture", capture_us);
        row("instantiate and destroy", "instantiate", instantiate_us);
        row("update the whole", "update", update_us);
        row("set one node", "one node", node_us);
    }
    series.finish();
    lockstep::report("launch has what was set", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
