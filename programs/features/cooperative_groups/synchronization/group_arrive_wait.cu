// What does it gain to split a group's barrier into arrive and wait, with work between
// the two? For a cluster the work hides a part of the barrier's latency. For a block
// nothing is gained: its barrier_arrive() does nothing, and barrier_wait() is
// __syncthreads(). For a grid, one thread of each block arrives for all, and the
// program measures how long that alone takes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;
constexpr int cluster_size = 8;
constexpr int blocks = 128;  // one on each SM: a grid group must fit onto the GPU

/// A chain of multiply-adds, each of which needs the one before it; not unrolled, since
/// the compiler would combine several of them.
__device__ unsigned multiply_add(unsigned x, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) x = x * 1664525 + 1013904223;
    return x;
}

struct block_kind {
    static __device__ auto group() { return cg::this_thread_block(); }
};
struct cluster_kind {
    static __device__ auto group() { return cg::this_cluster(); }
};
struct grid_kind {
    static __device__ auto group() { return cg::this_grid(); }
};

/// Each thread passes its number to the next lower rank of its group in every step.
/// @tparam Kind   of group
/// @tparam split  whether the work stands between arrive and wait
/// @tparam timed  whether the arrival is timed, which makes a step longer
/// @param steps   number of steps
/// @param work    multiply-adds of a thread in each step that need no other thread
/// @param words   two ints for each thread in device memory, for the exchange
/// @param data    one int for each thread in device memory, changed in place
/// @param cycles  two numbers for each block in device memory, written: the clock
///                cycles of all steps, and those of them that its first thread arrived
template <class Kind, bool split, bool timed>
__global__ void pass_on(int steps, int work, int* words, int* data, long long* cycles) {
    const auto group = Kind::group();
    const int size = static_cast<int>(group.num_threads());
    const int rank = static_cast<int>(group.thread_rank());
    const int total = gridDim.x * block_size;
    const int me = blockIdx.x * block_size + threadIdx.x;
    const int next = me - rank + (rank + 1) % size;
    int mine = data[me];
    unsigned x = me;
    long long arriving = 0;
    const long long begin = clock64();
#pragma unroll 1
    // [loop]
    for (int step = 0; step < steps; ++step) {
        int* exchange = words + step % 2 * total;
        exchange[me] = mine;
        if (split) {
            const long long before = timed ? clock64() : 0;
            auto token = group.barrier_arrive();
            if (timed) arriving += clock64() - before;
            x = multiply_add(x, work);
            group.barrier_wait(std::move(token));
        } else {
            cg::sync(group);  // the same as group.sync()
            x = multiply_add(x, work);
        }
        mine = exchange[next];
    }
    // [/loop]
    if (threadIdx.x == 0) {
        cycles[2 * blockIdx.x] = clock64() - begin;
        cycles[2 * blockIdx.x + 1] = arriving;
    }
    data[me] = x == 0xFFFFFFFF ? -1 : mine;  // or the compiler would drop the work
}

/// Cycles of one step.
struct cost {
    double step;  ///< all of it, in the slowest block
    double arrive;  ///< barrier_arrive() in the first thread of block 0
};

/// Device data of one measurement, and where its launches went wrong.
struct benchmark {
    lockstep::device_buffer<int> words{2 * blocks * block_size};
    lockstep::device_buffer<int> data{blocks * block_size};
    lockstep::device_buffer<long long> cycles{2 * blocks};
    std::size_t wrong = 0;

    /// Cycles of one step, and of the arrival in it, which another kernel times.
    template <class Kind, bool split>
    cost run(int size, int steps, int work) {
        cost found = run(pass_on<Kind, split, false>, size, steps, work);
        if constexpr (split)
            found.arrive = run(pass_on<Kind, split, true>, size, steps, work).arrive;
        return found;
    }

    /// The same by one kernel: medians of 20 launches.
    cost run(void (*kernel)(int, int, int*, int*, long long*), int size, int steps,
             int work) {
        std::vector<int> begin(data.size()), expected(data.size());
        for (int i = 0; i < blocks * block_size; ++i) {
            begin[i] = i;
            expected[i] = i / size * size + (i + steps) % size;
        }
        cudaLaunchAttribute attributes[2] = {};
        attributes[0].id = cudaLaunchAttributeCooperative;
        attributes[0].val.cooperative = size == blocks * block_size;
        attributes[1].id = cudaLaunchAttributeClusterDimension;
        attributes[1].val.clusterDim = {size == block_size ? 1u : cluster_size, 1, 1};
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = block_size;
        config.attrs = attributes;
        config.numAttrs = size == blocks * block_size ? 1 : 2;
        std::vector<double> all, arriving;
        for (int launch = 0; launch < 21; ++launch) {
            lockstep::check(cudaMemcpy(data.data(), begin.data(), data.bytes(),
                                       cudaMemcpyHostToDevice));
            lockstep::check(cudaLaunchKernelEx(&config, kernel, steps, work,
                                               words.data(), data.data(),
                                               cycles.data()));
            wrong += lockstep::count_mismatches(data.to_host(), expected);
            const std::vector<long long> took = cycles.to_host();
            if (launch == 0) continue;  // the first warms up
            // a step is longer than the arrival in it
            all.push_back(double(*std::max_element(took.begin(), took.end())) / steps);
            arriving.push_back(double(took[1]) / steps);
        }
        std::nth_element(all.begin(), all.begin() + 10, all.end());
        std::nth_element(arriving.begin(), arriving.begin() + 10, arriving.end());
        return {all[10], arriving[10]};
    }
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 100, 1, 10'000);
    const int most = options.integer("work", 160, 0, 10'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    benchmark barriers;
    lockstep::csv_file series(csv, "barrier,work,~cycles,~arrive");
    std::printf("cycles of a step, by multiply-adds of each thread\n");
    std::printf("%-26s%8s%8s%12s\n", "barrier", "work", "step", "in arrive");
    const auto show = [&](const char* name, int work, cost measured) {
        char texts[2][24];
        std::snprintf(texts[0], sizeof texts[0], "~%.0f", measured.step);
        std::snprintf(texts[1], sizeof texts[1], "~%.0f", measured.arrive);
        std::printf("%-26s%8d%8s%12s\n", name, work, texts[0], texts[1]);
        series.row("\"%s\",%d,%.1f,%.1f", name, work, measured.step, measured.arrive);
    };
    for (const int work : {0, 10, 20, 40, 60, 80, 120, 160}) {
        if (work > most) continue;
        const int cluster = cluster_size * block_size, grid = blocks * block_size;
        show("block, sync", work,
             barriers.run<block_kind, false>(block_size, steps, work));
        show("block, arrive and wait", work,
             barriers.run<block_kind, true>(block_size, steps, work));
        show("cluster, sync", work,
             barriers.run<cluster_kind, false>(cluster, steps, work));
        show("cluster, arrive and wait", work,
             barriers.run<cluster_kind, true>(cluster, steps, work));
        show("grid, sync", work, barriers.run<grid_kind, false>(grid, steps, work));
        show("grid, arrive and wait", work,
             barriers.run<grid_kind, true>(grid, steps, work));
    }
    series.finish();
    return barriers.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
