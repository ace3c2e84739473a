// After how many launches has a graph repaid its making? Twenty short kernels are
// launched again and again, one by one and as a graph. Making the graph costs about as
// much as one round of plain launches, so the graph is ahead after a few rounds.

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// One sweep over a square plate: each inner point becomes the mean of its neighbors.
/// @param n     points of a side
/// @param from  n x n temperatures in device memory, in thousandths of a degree
/// @param to    n x n temperatures in device memory; the inner points are written
__global__ void sweep(int n, const int* from, int* to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    to[i] = (from[i - n] + from[i + n] + from[i - 1] + from[i + 1]) / 4;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 66, 3, 1026);
    const bool timed = !options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const int points = n * n;
    std::vector<int> plates(2 * points, 0);  // before and after a sweep
    for (int i = 0; i < n; ++i)  // one warm edge
        plates[i] = plates[points + i] = 1000 * (20 + i % 30);
    lockstep::device_buffer<int> by_stream(plates), by_graph(plates);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    const auto enqueue_round = [&](int* on) {
        for (int i = 0; i < 20; ++i)
            sweep<<<dim3((n + 29) / 32, (n + 5) / 8), dim3(32, 8), 0, stream>>>(
                n, on + i % 2 * points, on + (i + 1) % 2 * points);
        lockstep::check(cudaGetLastError());
    };

    using clock = std::chrono::steady_clock;
    const auto ms = [](clock::time_point from, clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    };
    cudaGraphExec_t executable = nullptr;
    std::vector<double> capture_ms, instantiate_ms, upload_ms;
    const auto make = [&] {
        // [make]
        cudaGraph_t graph = nullptr;
        const auto begin = clock::now();
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        enqueue_round(by_graph.data());
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        const auto captured = clock::now();
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        const auto instantiated = clock::now();
        lockstep::check(cudaGraphUpload(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        const auto uploaded = clock::now();
        lockstep::check(cudaGraphDestroy(graph));
        // [/make]
        capture_ms.push_back(ms(begin, captured));
        instantiate_ms.push_back(ms(captured, instantiated));
        upload_ms.push_back(ms(instantiated, uploaded));
    };
    const auto median_us = [&](int rounds, bool as_graph) {
        std::vector<double> all_ms;
        for (int run = -1; run < (timed ? 9 : 0); ++run) {  // -1 warms up
            const auto begin = clock::now();
            if (as_graph) make();
            for (int round = 0; round < rounds; ++round)
                if (as_graph)
                    lockstep::check(cudaGraphLaunch(executable, stream));
                else
                    enqueue_round(by_stream.data());
            lockstep::check(cudaStreamSynchronize(stream));
            if (run >= 0 || !timed) all_ms.push_back(ms(begin, clock::now()));
            if (as_graph) lockstep::check(cudaGraphExecDestroy(executable));
        }
        return 1e3 * lockstep::summarize(all_ms).median_ms;
    };

    const auto show = [](const std::string& label, double us) {
        lockstep::report(label.c_str(), lockstep::measured{us}, "us");
        return us;
    };
    lockstep::csv_file series(csv, "rounds,how,~us");
    double stream_us = 0, graph_us = 0;
    std::vector<int> numbers{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
    if (!timed) numbers = {1, 5};
    for (const int rounds : numbers) {
        stream_us = median_us(rounds, false);
        graph_us = median_us(rounds, true);
        series.row("%d,stream,%.2f", rounds, stream_us);
        series.row("%d,\"graph, with its making\",%.2f", rounds, graph_us);
        if (rounds != 5 && rounds != 100 && rounds != 1000) continue;
        show(std::to_string(rounds) + " rounds: stream", stream_us);
        show(std::to_string(rounds) + " rounds: graph", graph_us);
    }
    series.finish();
    const auto part_us = [&](const char* label, const std::vector<double>& all_ms) {
        return show(label, 1e3 * lockstep::summarize(all_ms).median_ms);
    };
    const double made_us = part_us("capture", capture_ms) +
                           part_us("instantiate", instantiate_ms) +
                           part_us("upload", upload_ms);
    show("one round: stream", stream_us / numbers.back());
    show("one round: graph", (graph_us - made_us) / numbers.back());
    const bool equal =
        lockstep::count_mismatches(by_graph.to_host(), by_stream.to_host()) == 0;
    lockstep::report("both compute the same", equal);
    return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
