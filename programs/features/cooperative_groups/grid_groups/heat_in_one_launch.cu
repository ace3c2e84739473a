// Many short steps, each of which needs the one before it in all blocks: one launch for
// each step, a graph of these launches, or one cooperative launch with a grid.sync()
// after each step. In the last way the blocks stay for all steps, so they can also keep
// their cells in shared memory, and pass only the outermost ones through global memory.

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
constexpr int large_block_size = 1024;  // if cells stay in shared memory

// [step]
/// The mean of a cell, which counts twice, and its neighbors.
__device__ float mean(float left, float cell, float right) {
    return 0.25f * (left + right) + 0.5f * cell;
}
/// One step: each inner cell takes its mean. All threads of the grid share the cells.
/// @param n     number of cells
/// @param from  n cells in device memory
/// @param to    n cells in device memory, written
__device__ void relax(int n, const float* from, float* to) {
    const cg::grid_group grid = cg::this_grid();
    const int threads = static_cast<int>(grid.num_threads());
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += threads)
        to[i] =
            i == 0 || i == n - 1 ? from[i] : mean(from[i - 1], from[i], from[i + 1]);
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

// [kept]
/// All steps in one cooperative launch. Each block keeps its cells in shared memory,
/// between copies of the two cells next to them, which belong to other blocks.
/// @param n      number of cells
/// @param share  cells of a block
/// @param steps  number of steps
/// @param cells  n cells in device memory, with the values at the begin; the result
/// @param edges  for each block its first and last cell, twice, in device memory
__global__ void all_steps_in_shared(int n, int share, int steps, float* cells,
                                    float2* edges) {
    extern __shared__ float both[];
    const cg::grid_group grid = cg::this_grid();
    const int block = static_cast<int>(blockIdx.x);
    const int first = block * share;
    const int count = min(share, n - first);
    float* from = both;
    float* to = both + share + 2;
    for (int i = threadIdx.x; i < count + 2; i += blockDim.x)
        from[i] = cells[max(0, min(first + i - 1, n - 1))];
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        for (int i = threadIdx.x + 1; i <= count; i += blockDim.x) {
            const int cell = first + i - 1;
            to[i] = cell == 0 || cell == n - 1
                        ? from[i]
                        : mean(from[i - 1], from[i], from[i + 1]);
        }
        __syncthreads();
        // edges that others may still read are in the other half
        float2* shown = edges + step % 2 * gridDim.x;
        if (threadIdx.x == 0) shown[block] = make_float2(to[1], to[count]);
        grid.sync();
        if (threadIdx.x == 0 && block > 0) to[0] = shown[block - 1].y;
        if (threadIdx.x == 32 && first + count < n) to[count + 1] = shown[block + 1].x;
        __syncthreads();
        float* const old = from;
        from = to;
        to = old;
    }
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        cells[first + i] = from[i + 1];
}
// [/kept]

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
    int shared_bytes = 0;
    lockstep::check(cudaDeviceGetAttribute(&shared_bytes,
                                           cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lockstep::check(cudaFuncSetAttribute(all_steps_in_shared,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         shared_bytes));

    lockstep::csv_file series(csv, "how,cells,~us");
    std::printf("time of a step\n%10s%16s%16s%16s%18s\n", "cells", "launch a step",
                "graph", "grid.sync()", "in shared memory");
    const lockstep::owned_stream stream;
    bool right = true;
    for (int n : one ? std::vector<int>{one}
                     : std::vector<int>{1 << 12, 1 << 15, 1 << 18, 1 << 20, 1 << 21,
                                        1 << 22, 1 << 24}) {
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
        const int wanted = (n + large_block_size - 1) / large_block_size;
        int share = (n + sms - 1) / sms;
        share = wanted < sms ? large_block_size : share;
        const int large = (n + share - 1) / share;  // blocks, at most one for each SM
        const std::size_t bytes = 2 * (share + 2) * sizeof(float);
        const bool fits = bytes <= static_cast<std::size_t>(shared_bytes);
        lockstep::device_buffer<float2> d_edges(2 * large);
        float2* edges = d_edges.data();
        const auto in_shared = [&] {
            void* parameters[] = {&n, &share, &steps, &a, &edges};
            lockstep::check(cudaLaunchCooperativeKernel(all_steps_in_shared, large,
                                                        large_block_size, parameters,
                                                        bytes, stream));
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
                (!fits || lockstep::count_mismatches(result(in_shared), cells) == 0) &&
                cells[n / 2] > 0 && cells[n / 2] < 100;
        const auto step_us = [&](auto&& work) {
            return 1e3 * lockstep::time_on_device(work, 20, stream).median_ms / steps;
        };
        std::printf("%10d", n);
        const auto show = [&](const char* name, double us, int width = 16) {
            series.row("\"%s\",%d,%.4g", name, n, us);
            char text[24];
            std::snprintf(text, sizeof text, "~%.2f us", us);
            std::printf("%*s", width, text);
        };
        show("a launch for each step", step_us(launches));
        show("a graph of the launches", step_us(by_graph));
        show("grid.sync() after each step", step_us(together));
        if (fits)
            show("grid.sync(), cells in shared memory", step_us(in_shared), 18);
        else
            std::printf("%18s", "no room");
        std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
