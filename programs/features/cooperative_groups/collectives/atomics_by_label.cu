// When does it pay to group threads by the address that they update? One atomic
// addition for each label of a warp, or one for each thread: the fewer labels there
// are, the more threads share an address, and the more the partition saves. With many
// labels it only costs.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// [each]
/// Counts labels; each thread updates the counter of its label.
/// @param labels  number of labels, a power of two
/// @param x       words in device memory, one for each thread
/// @param counts  one counter for each label in device memory, increased
__global__ void count_each(unsigned labels, const unsigned* x, unsigned* counts) {
    const unsigned label = x[blockIdx.x * block_size + threadIdx.x] & (labels - 1);
    atomicAdd(&counts[label], 1u);
}
// [/each]

// [grouped]
/// Counts labels; of the threads of a warp with one label, one updates the counter.
/// @param labels  number of labels, a power of two
/// @param x       words in device memory, one for each thread
/// @param counts  one counter for each label in device memory, increased
__global__ void count_grouped(unsigned labels, const unsigned* x, unsigned* counts) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned label = x[blockIdx.x * block_size + threadIdx.x] & (labels - 1);
    const cg::coalesced_group alike = cg::labeled_partition(warp, label);
    if (alike.thread_rank() == 0) atomicAdd(&counts[label], alike.num_threads());
}
// [/grouped]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 16'384, 1, 1 << 20);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const int n = blocks * block_size;
    lockstep::device_buffer<unsigned> d_x(n);
    lockstep::fill_random(d_x.data(), n);
    const std::vector<unsigned> x = d_x.to_host();
    lockstep::csv_file series(csv, "update,labels,~us");
    std::printf("%8s%15s%15s%10s\n", "labels", "each thread", "each label", "gain");
    bool right = true;
    for (const unsigned labels : {1u, 2u, 4u, 8u, 32u, 128u, 1024u, 65'536u}) {
        std::vector<unsigned> expected(labels);
        for (const unsigned word : x) ++expected[word & (labels - 1)];
        lockstep::device_buffer<unsigned> d_counts(labels);
        const auto time = [&](const char* name, auto launch) {
            d_counts.fill_bytes(0);
            launch();
            lockstep::check(cudaGetLastError());
            right = right && d_counts.to_host() == expected;
            const double us = 1e3 * lockstep::time_back_to_back(launch).median_ms;
            series.row("\"%s\",%u,%.4g", name, labels, us);
            return us;
        };
        const double each = time("each thread", [&] {
            count_each<<<blocks, block_size>>>(labels, d_x.data(), d_counts.data());
        });
        const double grouped = time("each label", [&] {
            count_grouped<<<blocks, block_size>>>(labels, d_x.data(), d_counts.data());
        });
        char texts[3][24];
        std::snprintf(texts[0], sizeof texts[0], "~%.1f us", each);
        std::snprintf(texts[1], sizeof texts[1], "~%.1f us", grouped);
        std::snprintf(texts[2], sizeof texts[2], "~%.2f", each / grouped);
        std::printf("%8u%15s%15s%10s\n", labels, texts[0], texts[1], texts[2]);
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
