// Many short steps, each of which needs the one before it in all blocks: one launch for
// each step, a graph of these launches, or one cooperative launch with a grid.sync()
// after each step. While a step is short, the barrier is cheaper than a launch. Once a
// step takes longer than a launch, the host enqueues the launches meanwhile, and the
// gain is small.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// [step]
/// One step: each inner cell takes the mean of its neighbors and itself twice. All
/// threads of the grid share the cells.
/// @param n     number of cells
/// @param from  n cells in device memory
/// @param to    n cells in device memory, written
__device__ void relax(int n, const float* from, float* to) {
    const cg::grid_group grid = cg::this_grid();
    const int threads = static_cast<int>(grid.num_threads());
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += threads)
        to[i] = i == 0 || i == n - 1
                    ? from[i]
                    : 0.25f * (from[i - 1] + from[i + 1]) + 0.5f * from[i];
}
// [/step]

// [kernels]
/// All steps in one launch, which must be cooperative.
/// @param n      number of cells
/// @param steps  number of steps
/// @param a      n cells in device memory, with the values at the begin
/// @param b      n cells in device memory; the result is in a after an even number
__global__ void all_steps(int n, int steps, float* a, float* b) {
    const cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < steps; ++step) {
        relax(n, step % 2 ? b : a, step % 2 ? a : b);
        grid.sync();  // the next step reads what other blocks wrote
    }
}

/// One step; the end of the kernel is the barrier.
/// @param n     number of cells
/// @param from  n cells in device memory
/// @param to    n cells in device memory, written
__global__ void one_step(int n, const float* from, float* to) { relax(n, from, to); }
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    int steps = options.integer("steps", 200, 2, 10'000);
    const int one = options.integer("n", 0, 0, 1 << 26);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    steps += steps % 2;  // the result is then in the first array
    // [capacity]
    int cooperative = 0, sms = 0, blocks_on_each = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    if (!cooperative) return lockstep::no_device_status;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, all_steps, block_size, 0));
    const int capacity = sms * blocks_on_each;
    // [/capacity]

    lockstep::csv_file series(csv, "how,cells,~us");
    std::printf("time of a step\n%10s%16s%16s%16s\n", "cells", "launch a step", "graph",
                "grid.sync()");
    const lockstep::owned_stream stream;
    bool right = true;
    for (int n :
         one ? std::vector<int>{one}
             : std::vector<int>{1 << 12, 1 << 15, 1 << 18, 1 << 20, 1 << 22, 1 << 24}) {
        const std::vector<float> begin = [&] {
            std::vector<float> cells(n, 0.0f);
            for (int i = n / 4; i < n / 2; ++i) cells[i] = 100;
            return cells;
        }();
        lockstep::device_buffer<float> d_a(begin), d_b(begin);
        const int all = (n + block_size - 1) / block_size;
        const int few = all < capacity ? all : capacity;
        float* a = d_a.data();
        float* b = d_b.data();
        const auto launches = [&] {
            for (int step = 0; step < steps; step += 2) {
                one_step<<<few, block_size, 0, stream>>>(n, a, b);
                one_step<<<few, block_size, 0, stream>>>(n, b, a);
            }
            lockstep::check(cudaGetLastError());
        };
        // [graph]
        cudaGraph_t captured = nullptr;
        lockstep::check(
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        launches();
        lockstep::check(cudaStreamEndCapture(stream, &captured));
        lockstep::owned_graph graph(captured);
        const cudaGraphExec_t executable = graph.instantiate();
        const auto by_graph = [&] {
            lockstep::check(cudaGraphLaunch(executable, stream));
        };
        // [/graph]
        const auto together = [&] {
            // [launch]
            void* parameters[] = {&n, &steps, &a, &b};
            lockstep::check(cudaLaunchCooperativeKernel(all_steps, few, block_size,
                                                        parameters, 0, stream));
            // [/launch]
        };
        const auto result = [&](auto&& work) {
            lockstep::check(
                cudaMemcpy(a, begin.data(), d_a.bytes(), cudaMemcpyHostToDevice));
            lockstep::check(cudaDeviceSynchronize());  // the stream does not wait
            work();
            lockstep::check(cudaStreamSynchronize(stream));
            return d_a.to_host();
        };
        const std::vector<float> cells = result(launches);
        right = right && lockstep::count_mismatches(result(together), cells) == 0 &&
                lockstep::count_mismatches(result(by_graph), cells) == 0 &&
                cells[n / 2] > 0 && cells[n / 2] < 100;
        const auto step_us = [&](auto&& work) {
            return 1e3 * lockstep::time_on_device(work, 20, stream).median_ms / steps;
        };
        std::printf("%10d", n);
        const auto show = [&](const char* name, double us) {
            series.row("\"%s\",%d,%.4g", name, n, us);
            char text[24];
            std::snprintf(text, sizeof text, "~%.2f us", us);
            std::printf("%16s", text);
        };
        show("a launch for each step", step_us(launches));
        show("a graph of the launches", step_us(by_graph));
        show("grid.sync() after each step", step_us(together));
        std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
