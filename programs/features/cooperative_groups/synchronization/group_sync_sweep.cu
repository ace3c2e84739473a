// What does it cost to synchronize a group, over its size? A tile of at most a warp
// synchronizes inside the warp, a block and a larger tile inside an SM, a cluster
// through the network between SMs, and a grid through global memory. Each program run
// measures one synchronization of each size in clock cycles.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [groups]
/// The group that a kernel synchronizes; a tile has 2 to 1024 threads.
template <int size>
struct tile {
    static __device__ auto of(const cg::thread_block& block) {
        return cg::tiled_partition<size>(block);
    }
};
struct block {
    static __device__ auto of(const cg::thread_block& block) { return block; }
};
struct cluster {
    static __device__ auto of(const cg::thread_block&) { return cg::this_cluster(); }
};
struct grid {
    static __device__ auto of(const cg::thread_block&) { return cg::this_grid(); }
};
// [/groups]

// [kernel]
/// Synchronizes a group again and again.
/// @tparam Kind   of group
/// @param rounds  number of synchronizations
/// @param cycles  device array, written: the clock cycles that each block took
template <class Kind>
__global__ void sync_again(int rounds, long long* cycles) {
    __shared__ cg::block_tile_memory<1024> memory;  // for large tiles before 8.0
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto group = Kind::of(block);
    group.sync();
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round) group.sync();
    if (block.thread_rank() == 0) cycles[blockIdx.x] = clock64() - begin;
}
// [/kernel]

/// Cycles of one synchronization: the median of 20 launches, each of which counts the
/// slowest block; or -1 if a block did not come to the end.
template <class Kind>
double cycles_of(int blocks, int threads, int cluster_size, bool cooperative,
                 int rounds) {
    lockstep::device_buffer<long long> d_cycles(blocks);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = cooperative;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {static_cast<unsigned>(cluster_size), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.attrs = attributes;
    config.numAttrs = 2;
    std::vector<double> samples;
    for (int run = 0; run < 21; ++run) {
        d_cycles.fill_bytes(0xFF);
        lockstep::check(
            cudaLaunchKernelEx(&config, sync_again<Kind>, rounds, d_cycles.data()));
        const std::vector<long long> cycles = d_cycles.to_host();
        if (*std::min_element(cycles.begin(), cycles.end()) < 0) return -1;
        const long long slowest = *std::max_element(cycles.begin(), cycles.end());
        if (run > 0) samples.push_back(double(slowest) / rounds);  // the first warms up
    }
    std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
    return samples[10];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1000, 1, 100'000);
    const int sms = options.integer("sms", 128, 8, 128);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    lockstep::csv_file series(csv, "group,threads,~cycles");
    std::printf("%-12s%8s%14s\n", "group", "threads", "cycles");
    bool right = true;
    double block_cycles = 0, grid_cycles = 0;
    const auto show = [&](const char* group, int threads, double cycles) {
        char text[24];
        std::snprintf(text, sizeof text, "~%.0f", cycles);
        std::printf("%-12s%8d%14s\n", group, threads, text);
        series.row("\"%s\",%d,%.1f", group, threads, cycles);
        right = right && cycles > 0;
        return cycles;
    };
    show("tile", 4, cycles_of<tile<4>>(sms, 1024, 1, false, rounds));
    show("tile", 32, cycles_of<tile<32>>(sms, 1024, 1, false, rounds));
    show("tile", 64, cycles_of<tile<64>>(sms, 1024, 1, false, rounds));
    show("tile", 256, cycles_of<tile<256>>(sms, 1024, 1, false, rounds));
    show("tile", 1024, cycles_of<tile<1024>>(sms, 1024, 1, false, rounds));
    show("tile alone", 64, cycles_of<tile<64>>(sms, 64, 1, false, rounds));
    show("tile alone", 256, cycles_of<tile<256>>(sms, 256, 1, false, rounds));
    show("tile alone", 1024, cycles_of<tile<1024>>(sms, 1024, 1, false, rounds));
    for (const int threads : {32, 64, 256, 1024})
        block_cycles =
            show("block", threads, cycles_of<block>(sms, threads, 1, false, rounds));
    for (const int blocks : {2, 4, 8})
        show("cluster", blocks * 1024,
             cycles_of<cluster>(sms, 1024, blocks, false, rounds));
    for (int blocks = 2; blocks <= sms; blocks *= 4)
        grid_cycles =
            show("grid", blocks * 1024, cycles_of<grid>(blocks, 1024, 1, true, rounds));
    series.finish();
    return right && (untimed || grid_cycles > 5 * block_cycles) ? EXIT_SUCCESS
                                                                : EXIT_FAILURE;
}
