// What does a launch cost, kernel by kernel in a stream and as one graph? A chain of
// kernels is enqueued both ways, and the program measures until when the CPU is busy
// and when the GPU is done. A graph wins as long as the kernels are short; kernels that
// run for tens of microseconds hide the cost of their launches.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

// [kernel]
/// Counts its own launch, and passes some time before that.
/// @param ns     how long, in nanoseconds
/// @param count  one number in device memory, increased
__global__ void count_launch(unsigned long long ns, unsigned* count) {
    if (ns) lockstep::busy_wait(ns);
    *count += 1;  // kernels of a chain never overlap
}
// [/kernel]

/// What is launched in one round: kernels, each of which waits for the one before it.
struct chain {
    int nodes;  ///< number of kernels
    int busy_us;  ///< length of each, in microseconds
};

/// Medians of many rounds, in microseconds.
struct cost {
    double enqueue_us;  ///< until the CPU may go on
    double done_us;  ///< until the GPU is done
};

/// Measures how long one round takes, after one warm-up round.
/// @param enqueue  callable that enqueues the work of one round
/// @param rounds   number of rounds
/// @param stream   the stream that it uses
template <class Enqueue>
cost measure(Enqueue&& enqueue, int rounds, cudaStream_t stream) {
    using clock = std::chrono::steady_clock;
    const auto since = [](clock::time_point begin) {
        return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
    };
    std::vector<double> enqueue_ms, done_ms;
    for (int round = -1; round < rounds; ++round) {
        const auto begin = clock::now();
        enqueue();
        const double enqueued = since(begin);
        lockstep::check(cudaStreamSynchronize(stream));
        if (round < 0) continue;
        enqueue_ms.push_back(enqueued);
        done_ms.push_back(since(begin));
    }
    return {1e3 * lockstep::summarize(enqueue_ms).median_ms,
            1e3 * lockstep::summarize(done_ms).median_ms};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int given = options.integer("nodes", 20, 1, 10'000);
    const int given_us = static_cast<int>(options.integer("busy-us", 0, 0, 100));
    const char* csv = options.text("csv");
    const char* by_length = options.text("lengths");
    options.finish();
    lockstep::require_device();

    constexpr int rounds = 21;
    const lockstep::owned_stream stream;
    lockstep::csv_file series(csv, "nodes,how,~enqueue_us,~done_us,~done_us_per_node");
    lockstep::csv_file lengths(by_length, "busy_us,how,~enqueue_us,~done_us");
    std::vector<chain> chains;
    if (csv)
        for (const int nodes : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10'000})
            chains.push_back({nodes, given_us});
    else if (by_length)
        for (const int us : {0, 1, 2, 5, 10, 20, 50}) chains.push_back({given, us});
    else
        chains.push_back({given, given_us});
    if (by_length)
        std::printf(
            "time of a chain of %d kernels, by the length of one\n"
            "length, us    stream, us    graph, us     stream / graph\n",
            given);
    bool right = true;
    for (const chain& one : chains) {
        const int nodes = one.nodes;
        const auto ns = 1000ull * one.busy_us;
        lockstep::device_buffer<unsigned> d_count(1);
        d_count.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());

        // [stream]
        const auto launch_all = [&] {
            for (int node = 0; node < nodes; ++node)
                count_launch<<<1, 1, 0, stream>>>(ns, d_count.data());
            lockstep::check(cudaGetLastError());
        };
        const cost by_stream = measure(launch_all, rounds, stream);
        // [/stream]

        cudaGraphExec_t executable = nullptr;
        // [define]
        const auto define = [&] {
            cudaGraph_t graph = nullptr;
            lockstep::check(
                cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
            launch_all();
            lockstep::check(cudaStreamEndCapture(stream, &graph));
            lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
            lockstep::check(cudaGraphDestroy(graph));  // no longer needed
        };
        // [/define]
        // [launch]
        const auto launch_graph = [&] {
            lockstep::check(cudaGraphLaunch(executable, stream));
        };
        // [/launch]
        // [first]
        std::vector<double> first_ms, very_first_ms;
        for (int round = -1; round < rounds; ++round) {
            if (executable) lockstep::check(cudaGraphExecDestroy(executable));
            const auto begin = std::chrono::steady_clock::now();
            define();
            launch_graph();
            lockstep::check(cudaStreamSynchronize(stream));
            const std::chrono::duration<double, std::milli> time =
                std::chrono::steady_clock::now() - begin;
            (round < 0 ? very_first_ms : first_ms).push_back(time.count());
        }
        // [/first]
        const double first_us = 1e3 * lockstep::summarize(first_ms).median_ms;
        const cost by_graph = measure(launch_graph, rounds, stream);
        lockstep::check(cudaGraphExecDestroy(executable));

        right = right && d_count.to_host()[0] == 3u * nodes * (rounds + 1);
        for (const auto& [how, us] :
             {std::pair{"stream", by_stream}, std::pair{"graph", by_graph}})
            series.row("%d,%s,%.3f,%.3f,%.4f", nodes, how, us.enqueue_us, us.done_us,
                       us.done_us / nodes);
        for (const auto& [how, us] :
             {std::pair{"stream", by_stream}, std::pair{"graph", by_graph}})
            lengths.row("%d,%s,%.3f,%.3f", one.busy_us, how, us.enqueue_us, us.done_us);
        series.row("%d,\"%s\",%.3f,%.3f,%.4f", nodes, "graph, first time", first_us,
                   first_us, first_us / nodes);
        if (csv) continue;
        if (by_length) {
            std::printf("%-14d~%-13.1f~%-13.1f~%.2f\n", one.busy_us, by_stream.done_us,
                        by_graph.done_us, by_stream.done_us / by_graph.done_us);
            continue;
        }
        const auto us = [](const char* label, double value) {
            lockstep::report(label, lockstep::measured{value}, "us");
        };
        lockstep::report("kernels", nodes);
        us("stream: CPU is free after", by_stream.enqueue_us);
        us("stream: GPU is done after", by_stream.done_us);
        us("graph: first round done", first_us);
        us("first graph of the process", 1e3 * very_first_ms[0]);
        us("graph: CPU is free after", by_graph.enqueue_us);
        us("graph: GPU is done after", by_graph.done_us);
    }
    series.finish();
    lengths.finish();
    lockstep::report("every launch counted", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
