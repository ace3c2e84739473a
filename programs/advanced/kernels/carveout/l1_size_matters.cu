// Kernels that look numbers up in a table, and use no shared memory. With the smallest
// carveout nearly all of the unified data cache is L1, with the largest one little is.
// It matters for tables that fit into the larger L1 and not into the smaller one.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// Follows a chain through a table.
/// @param steps    number of look-ups
/// @param entries  size of the table
/// @param table    entries ints in device memory, each below entries
/// @param ends     one int for each thread in device memory, written
__global__ void follow(int steps, int entries, const int* table, int* ends) {
    int place = (blockIdx.x * blockDim.x + threadIdx.x) % entries;
    for (int step = 0; step < steps; ++step) place = table[place];
    ends[blockIdx.x * blockDim.x + threadIdx.x] = place;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 100'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int blocks = 0;  // one for each SM
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    constexpr int threads = 512;
    lockstep::device_buffer<int> d_ends(blocks * threads);
    constexpr int sizes[] = {8, 16, 32, 64, 128, 256, 512, 1024};  // KiB
    std::vector<std::vector<int>> tables;
    std::vector<std::vector<int>> expected;
    for (const int kib : sizes) {
        const int entries = kib * 256;
        std::vector<int> table(entries);
        for (int i = 0; i < entries; ++i)
            table[i] = static_cast<int>((i * 20'173u + 12'345u) % entries);
        std::vector<int> ends(blocks * threads);
        for (int i = 0; i < blocks * threads; ++i) {
            ends[i] = i < entries ? i : ends[i % entries];
            if (i < entries)
                for (int step = 0; step < steps; ++step) ends[i] = table[ends[i]];
        }
        tables.push_back(table);
        expected.push_back(ends);
    }
    const struct {
        const char* name;
        int carveout;
    } cases[] = {{"no preference", cudaSharedmemCarveoutDefault},  // before any is set
                 {"smallest", cudaSharedmemCarveoutMaxL1},
                 {"largest", cudaSharedmemCarveoutMaxShared}};
    std::size_t wrong = 0;
    std::vector<std::vector<double>> times;
    lockstep::csv_file series(csv, "carveout,kib,~us");
    for (const auto& [name, carveout] : cases) {
        times.emplace_back();
        for (std::size_t size = 0; size < std::size(sizes); ++size) {
            const lockstep::device_buffer<int> d_table(tables[size]);
            const int entries = 256 * sizes[size];
            // [each]
            lockstep::check(cudaFuncSetAttribute(
                follow, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
            const auto launch = [&] {
                follow<<<blocks, threads>>>(steps, entries, d_table.data(),
                                            d_ends.data());
            };
            const double us = 1e3 * lockstep::time_on_device(launch).median_ms;
            // [/each]
            wrong += lockstep::count_mismatches(d_ends.to_host(), expected[size]);
            times.back().push_back(us);
            series.row("%s,%d,%.1f", name, sizes[size], us);
        }
    }
    series.finish();
    std::printf("%-16s%18s%18s%18s\n", "table, carveout", "no preference", "smallest",
                "largest");
    for (std::size_t size = 0; size < std::size(sizes); ++size) {
        std::printf("%7d KiB     ", sizes[size]);
        for (const std::vector<double>& of_case : times) {
            char text[24];
            std::snprintf(text, sizeof text, "~%.1f us", of_case[size]);
            std::printf("%18s", text);
        }
        std::printf("\n");
    }
    lockstep::report("wrong ends", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
