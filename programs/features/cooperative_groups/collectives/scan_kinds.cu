// What does each thread receive from a scan? Inclusive: the result over all ranks up to
// its own. Exclusive: over the lower ranks only. Rank 0 of an exclusive scan receives
// zero, whatever the operator: right for a sum, wrong for the maximum of negative
// numbers.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int size = 8;
constexpr int results = 6;

// [kernel]
/// Scans the values of a tile in six ways.
/// @param x      8 ints in device memory
/// @param found  results x 8 ints in device memory, written
__global__ void scan_all(const int* x, int* found) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const int rank = tile.thread_rank();
    const int value = x[rank];
    found[0 * size + rank] =
        cg::inclusive_scan(tile, value);  // a sum, if none is named
    found[1 * size + rank] = cg::exclusive_scan(tile, value);
    found[2 * size + rank] = cg::inclusive_scan(tile, value, cg::greater<int>());
    found[3 * size + rank] = cg::exclusive_scan(tile, value, cg::greater<int>());

    const auto parity = cg::binary_partition(tile, rank % 2 == 0);
    found[4 * size + rank] = cg::inclusive_scan(parity, value, cg::plus<int>());
    found[5 * size + rank] = cg::exclusive_scan(parity, value, cg::plus<int>());
}
// [/kernel]

int main() {
    lockstep::require_device();

    const std::vector<int> x = {-5, -7, -2, -9, -4, -1, -8, -3};
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_found(results * size);
    d_found.fill_bytes(0x55);
    scan_all<<<1, size>>>(d_x.data(), d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> found = d_found.to_host();

    std::vector<int> expected(results * size);
    for (int rank = 0; rank < size; ++rank) {
        int sum = 0, like = 0, most = x[0];
        for (int lower = 0; lower < rank; ++lower) {
            sum += x[lower];
            most = std::max(most, x[lower]);
            if (lower % 2 == rank % 2) like += x[lower];
        }
        expected[0 * size + rank] = sum + x[rank];
        expected[1 * size + rank] = sum;
        expected[2 * size + rank] = std::max(most, x[rank]);
        expected[3 * size + rank] = rank == 0 ? 0 : most;
        expected[4 * size + rank] = like + x[rank];
        expected[5 * size + rank] = like;
    }
    const auto line = [](const char* label, const int* values) {
        std::printf("%-24s", label);
        for (int rank = 0; rank < size; ++rank) std::printf("%5d", values[rank]);
        std::printf("\n");
    };
    line("value", x.data());
    const char* names[results] = {"inclusive, plus",      "exclusive, plus",
                                  "inclusive, greater",   "exclusive, greater",
                                  "inclusive, by parity", "exclusive, by parity"};
    for (int i = 0; i < results; ++i) line(names[i], &found[i * size]);
    return lockstep::count_mismatches(found, expected) == 0 ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
