// What does a launch cost the CPU, and can one pay once for many? A stream that
// captures runs nothing: it writes down what is enqueued, as a graph. The graph is
// instantiated once and then launched as often as one likes, with a single call for all
// its kernels.

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

/// One short step: multiplies each element by 3 and adds 1.
/// @param n  number of elements
/// @param x  n elements in device memory
__global__ void step(int n, unsigned* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3 * x[i] + 1;
}

/// Time since a moment, in milliseconds.
/// @param begin  the moment
double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                     begin)
        .count();
}

/// Medians of many rounds, in microseconds.
struct cost {
    double enqueue_us;  ///< until the host may go on
    double done_us;  ///< until the GPU is done
};

/// Measures what enqueueing costs.
/// @param enqueue  callable that enqueues the work of one round
/// @param rounds   number of rounds
/// @param stream   the stream that it uses
template <class Enqueue>
cost measure(Enqueue&& enqueue, int rounds, cudaStream_t stream) {
    std::vector<double> enqueue_ms;
    std::vector<double> done_ms;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        enqueue();
        enqueue_ms.push_back(milliseconds_since(begin));
        lockstep::check(cudaStreamSynchronize(stream));
        done_ms.push_back(milliseconds_since(begin));
    }
    return {1e3 * lockstep::summarize(enqueue_ms).median_ms,
            1e3 * lockstep::summarize(done_ms).median_ms};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int given_kernels = options.integer("kernels", 20, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr int n = 4096;
    constexpr int block = 256;
    constexpr int rounds = 51;
    const lockstep::owned_stream stream(cudaStreamDefault);
    lockstep::csv_file series(csv, "kernels,how,~enqueue_us");
    bool right = true;

    for (int kernels : csv ? std::vector<int>{1, 2, 5, 10, 20, 50, 100, 200}
                           : std::vector<int>{given_kernels}) {
        const std::vector<unsigned> ones(n, 1u);
        lockstep::device_buffer<unsigned> d_x(ones);
        lockstep::device_buffer<unsigned> d_y(ones);
        lockstep::check(cudaDeviceSynchronize());

        // [stream]
        const auto launch_all = [&](unsigned* d_data) {
            for (int k = 0; k < kernels; ++k)
                step<<<n / block, block, 0, stream>>>(n, d_data);
            lockstep::check(cudaGetLastError());
        };
        const cost by_stream = measure([&] { launch_all(d_x.data()); }, rounds, stream);
        // [/stream]

        const auto begin = std::chrono::steady_clock::now();
        // [capture]
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        launch_all(d_y.data());
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        // [/capture]
        // [instantiate]
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        // [/instantiate]
        const double prepare_us = 1e3 * milliseconds_since(begin);
        const unsigned after_capture = d_y.to_host()[0];

        // [launch]
        const cost by_graph =
            measure([&] { lockstep::check(cudaGraphLaunch(executable, stream)); },
                    rounds, stream);
        // [/launch]
        // [destroy]
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(graph));
        // [/destroy]

        unsigned expected = 1;
        for (int k = 0; k < kernels * rounds; ++k) expected = 3 * expected + 1;
        const std::vector<unsigned> all(n, expected);
        right =
            right && after_capture == 1 && d_x.to_host() == all && d_y.to_host() == all;
        series.row("%d,%s,%.3f", kernels, "launches", by_stream.enqueue_us);
        series.row("%d,%s,%.3f", kernels, "graph", by_graph.enqueue_us);
        if (csv) continue;
        lockstep::report("kernels", kernels);
        lockstep::report("element after the capture", after_capture);
        lockstep::report("launches: enqueued after",
                         lockstep::measured{by_stream.enqueue_us}, "us");
        lockstep::report("launches: done after", lockstep::measured{by_stream.done_us},
                         "us");
        lockstep::report("graph: capture, instantiate", lockstep::measured{prepare_us},
                         "us");
        lockstep::report("graph: enqueued after",
                         lockstep::measured{by_graph.enqueue_us}, "us");
        lockstep::report("graph: done after", lockstep::measured{by_graph.done_us},
                         "us");
        if (kernels >= 20) right = right && by_graph.enqueue_us < by_stream.enqueue_us;
    }
    series.finish();
    lockstep::report("results equal and right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
