// What does the GPU do between two short kernels? In a stream it waits for the next
// launch. In a graph the next kernel is known, and begins soon after. Each kernel notes
// on the GPU's clock when it began and when it ended.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;  // points of a rod
constexpr int sweeps = 12;

/// When a kernel ran, in nanoseconds of the GPU's clock.
struct moments {
    unsigned long long begin;
    unsigned long long end;
};

// [kernel]
/// One sweep over a rod; one block of n threads.
/// @param from  n temperatures in device memory
/// @param to    n temperatures in device memory, written
/// @param when  in device memory, written
__global__ void sweep(const int* from, int* to, moments* when) {
    const int i = threadIdx.x;
    if (i == 0) when->begin = lockstep::now_ns();
    const bool edge = i == 0 || i == n - 1;
    to[i] = edge ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    __syncthreads();
    if (i == 0) when->end = lockstep::now_ns();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    std::vector<int> rod(n);
    for (int i = 0; i < n; ++i) rod[i] = 1000 * (i * 7 % 100);
    lockstep::device_buffer<int> d_a(rod), d_b(rod);
    lockstep::device_buffer<moments> d_when(sweeps);
    d_when.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    const auto enqueue = [&] {
        for (int i = 0; i < sweeps; ++i)
            sweep<<<1, n, 0, stream>>>(i % 2 ? d_b.data() : d_a.data(),
                                       i % 2 ? d_a.data() : d_b.data(),
                                       d_when.data() + i);
        lockstep::check(cudaGetLastError());
    };
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    enqueue();
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::owned_graph graph(captured);
    graph.instantiate();

    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool ordered = true;
    const auto run = [&](const char* row, const char* busy, const char* all,
                         auto&& work) {
        for (int round = 0; round < 5; ++round) {  // the last one counts
            work();
            lockstep::check(cudaStreamSynchronize(stream));
        }
        const std::vector<moments> when = d_when.to_host();
        const auto us = [&](unsigned long long at) {
            return 1e-3 * static_cast<double>(at - when[0].begin);
        };
        double busy_us = 0;
        for (int i = 0; i < sweeps; ++i) {
            busy_us += us(when[i].end) - us(when[i].begin);
            ordered = ordered && when[i].begin <= when[i].end;
            if (i > 0) ordered = ordered && when[i - 1].end <= when[i].begin;
            timeline.row("%s,kernel,sweep,%.2f,%.2f", row, us(when[i].begin),
                         us(when[i].end));
        }
        lockstep::report(busy, lockstep::measured{busy_us}, "us");
        lockstep::report(all, lockstep::measured{us(when[sweeps - 1].end)}, "us");
    };
    run("stream", "stream: in kernels", "stream: from first to last", enqueue);
    run("graph", "graph: in kernels", "graph: from first to last",
        [&] { lockstep::check(cudaGraphLaunch(graph.executable(), stream)); });
    timeline.finish();

    std::vector<int> next = rod;
    for (int i = 0; i < 10 * sweeps; ++i) {
        for (int k = 1; k < n - 1; ++k) next[k] = (rod[k - 1] + rod[k + 1]) / 2;
        rod.swap(next);
    }
    const bool right = d_a.to_host() == rod;
    lockstep::report("one after the other", ordered);
    lockstep::report("temperatures right", right);
    return ordered && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
