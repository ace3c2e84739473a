// Where should a histogram live while it is counted? In the shared memory of one block,
// if it fits. If not, the blocks of a cluster can hold it together, each a part, and
// add to one another's parts. Beyond that, only global memory is large enough. Every
// cluster adds all its bins to global memory at the end, so the program launches one
// wave of clusters as well as more, and times the counting alone.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [cluster]
/// Counts bins in the shared memory of a cluster; a cluster of one block is an ordinary
/// block.
/// @param n         number of elements
/// @param bins      number of bins
/// @param per_block bins in the shared memory of each block; per_block times the blocks
///                  of a cluster is at least bins
/// @param data      n numbers below `bins` in device memory
/// @param counts    `bins` counters in device memory, increased; or null to count only
///                  and leave out the last step
__global__ void count_in_cluster(int n, int bins, int per_block,
                                 const int* __restrict__ data, unsigned* counts) {
    extern __shared__ unsigned mine[];  // per_block counters
    const cg::cluster_group cluster = cg::this_cluster();
    for (int bin = threadIdx.x; bin < per_block; bin += blockDim.x) mine[bin] = 0;
    cluster.sync();  // all blocks have begun, and all counters are zero

    const cg::grid_group grid = cg::this_grid();
    for (long long i = grid.thread_rank(); i < n; i += grid.num_threads()) {
        const int bin = data[i];
        // in the block that holds the bin
        unsigned* part = cluster.map_shared_rank(mine, bin / per_block);
        atomicAdd(part + bin % per_block, 1);
    }

    cluster.sync();  // all counts are made; no block needs another block's memory now
    if (!counts) return;
    const int first = cluster.block_rank() * per_block;
    for (int bin = threadIdx.x; bin < per_block && first + bin < bins;
         bin += blockDim.x)
        if (mine[bin]) atomicAdd(counts + first + bin, mine[bin]);
}
// [/cluster]

// [global]
/// Counts bins in global memory.
/// @param n       number of elements
/// @param data    n numbers below the number of counters, in device memory
/// @param counts  counters in device memory, increased
__global__ void count_in_global(int n, const int* __restrict__ data, unsigned* counts) {
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(counts + data[i], 1);
}
// [/global]

/// What a histogram of so many bins needs.
struct plan {
    unsigned cluster;  ///< blocks in a cluster; 0 if no cluster can hold it
    unsigned per_block;  ///< bins in each block
};

// [plan]
/// The smallest cluster of 1, 2, 4 or 8 blocks whose shared memory holds all bins.
/// @param bins   number of bins
/// @param bytes  shared memory that a block may have
/// @param least  smallest cluster to try
plan smallest_cluster(unsigned bins, unsigned bytes, unsigned least) {
    for (unsigned cluster = least; cluster <= 8; cluster *= 2) {
        const unsigned per_block = (bins + cluster - 1) / cluster;
        if (per_block * sizeof(unsigned) <= bytes) return {cluster, per_block};
    }
    return {0, 0};
}
// [/plan]

/// Launches the kernel in clusters, or asks how many blocks fit.
/// @param blocks   blocks of the grid; 0 asks how many run at the same time
/// @param threads  threads in a block
/// @param p        cluster, and bins in a block
/// @param n        number of elements
/// @param bins     number of bins
/// @param data     n numbers below `bins` in device memory
/// @param counts   counters in device memory, or null
/// @return blocks of the grid
int launch_clusters(int blocks, int threads, const plan& p, int n, int bins,
                    const int* data, unsigned* counts) {
    // [launch]
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {p.cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks ? blocks / p.cluster * p.cluster : p.cluster);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = p.per_block * sizeof(unsigned);  // of each block
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (blocks == 0) {  // how many clusters run at the same time: one wave
        int clusters = 0;
        lockstep::check(
            cudaOccupancyMaxActiveClusters(&clusters, count_in_cluster, &config));
        return clusters * static_cast<int>(p.cluster);
    }
    lockstep::check(cudaLaunchKernelEx(&config, count_in_cluster, n, bins,
                                       static_cast<int>(p.per_block), data, counts));
    // [/launch]
    return blocks;
}

/// A measured time, to stand in a column.
static std::string cell(double us) {
    char text[32];
    std::snprintf(text, sizeof text, "~%.1f us", us);
    return text;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 25, 1, 1 << 27);
    const int one = options.integer("bins", 0, 1, 1 << 22);
    const int threads = options.choice("threads", {"512", "1024"}) ? 1024 : 512;
    const unsigned least = 1u << options.choice("cluster", {"1", "2", "4", "8"});
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    int bytes = 0;
    int sms = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    // [opt-in]
    lockstep::check(cudaFuncSetAttribute(
        count_in_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    // [/opt-in]
    const int many = 4 * sms;

    lockstep::csv_file series(csv, "place,bins,~us");
    bool right = true;
    std::printf(
        "         blocks in   bytes in  blocks in   time with   time with"
        "   counting      global\n");
    std::printf(
        "   bins  a cluster    a block     a wave  %4d blocks    one wave"
        "      alone      memory\n",
        many);
    for (const int bins : one ? std::vector<int>{one}
                              : std::vector<int>{1 << 10, 10'000, 1 << 14, 50'000,
                                                 100'000, 200'000, 400'000, 1 << 19}) {
        std::vector<int> data(n);
        std::vector<unsigned> expected(bins, 0);
        std::uint32_t state = 12345;
        for (int& element : data) {
            state = state * 1664525u + 1013904223u;
            element =
                static_cast<int>((static_cast<std::uint64_t>(state) * bins) >> 32);
            ++expected[element];
        }
        const lockstep::device_buffer<int> d_data(data);
        lockstep::device_buffer<unsigned> d_counts(bins);
        const plan p = smallest_cluster(bins, bytes, least);
        const auto time_us = [&](const char* place, bool counted, auto count) {
            d_counts.fill_bytes(0);
            count();
            lockstep::check(cudaGetLastError());
            if (counted)
                right = right &&
                        lockstep::count_mismatches(d_counts.to_host(), expected) == 0;
            const double us = 1e3 * lockstep::time_back_to_back(count).median_ms;
            series.row("\"%s\",%d,%.4g", place, bins, us);
            return us;
        };
        const std::string global = cell(time_us("global memory", true, [&] {
            count_in_global<<<4096 / threads * sms, threads>>>(n, d_data.data(),
                                                               d_counts.data());
        }));
        if (!p.cluster) {
            std::printf("%7d%11s%11s%11s%12s%12s%11s%12s\n", bins, "none", "-", "-",
                        "-", "-", "-", global.c_str());
            continue;
        }
        const auto in_cluster = [&](int blocks, unsigned* counts) {
            return launch_clusters(blocks, threads, p, n, bins, d_data.data(), counts);
        };
        const int wave = in_cluster(0, nullptr);
        const double us[] = {time_us("shared memory, more blocks", true,
                                     [&] { in_cluster(many, d_counts.data()); }),
                             time_us("shared memory, one wave", true,
                                     [&] { in_cluster(wave, d_counts.data()); }),
                             time_us("one wave, counting alone", false,
                                     [&] { in_cluster(wave, nullptr); })};
        std::printf("%7d%11u%11zu%11d%12s%12s%11s%12s\n", bins, p.cluster,
                    p.per_block * sizeof(unsigned), wave, cell(us[0]).c_str(),
                    cell(us[1]).c_str(), cell(us[2]).c_str(), global.c_str());
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
