// A kernel that looks numbers up in a table of 128 KiB. With as much L1 cache as
// possible the table stays there; with as much shared memory as possible it does not,
// and the kernel uses none of it.

#include <cstdlib>
#include <vector>

#include <lockstep/arguments.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/timer.hpp>

constexpr int entries = 32 * 1024;

// [kernel]
/// Follows a chain through a table.
/// @param steps  how far
/// @param table  entries ints in device memory, each below entries
/// @param ends   one int for each thread in device memory, written
__global__ void follow(int steps, const int* table, int* ends) {
    int place = (blockIdx.x * blockDim.x + threadIdx.x) % entries;
    for (int step = 0; step < steps; ++step) place = table[place];
    ends[blockIdx.x * blockDim.x + threadIdx.x] = place;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int steps = static_cast<int>(arguments.integer("steps", 1000, 1, 100'000));
    arguments.finish();
    lockstep::require_device();

    std::vector<int> table(entries);
    for (int i = 0; i < entries; ++i)
        table[i] = static_cast<int>((i * 20'173u + 12'345u) % entries);
    constexpr int blocks = 132;
    constexpr int threads = 512;
    std::vector<int> expected(blocks * threads);
    for (int i = 0; i < blocks * threads; ++i) {
        expected[i] = i % entries;
        for (int step = 0; step < steps; ++step) expected[i] = table[expected[i]];
    }
    const lockstep::device_buffer<int> d_table(table);
    lockstep::device_buffer<int> d_ends(blocks * threads);
    double us[2] = {};
    std::size_t wrong = 0;
    // [both]
    for (const bool shared : {false, true}) {
        const int carveout =
            shared ? cudaSharedmemCarveoutMaxShared : cudaSharedmemCarveoutMaxL1;
        lockstep::check(cudaFuncSetAttribute(
            follow, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
        const auto launch = [&] {
            follow<<<blocks, threads>>>(steps, d_table.data(), d_ends.data());
        };
        us[shared] = 1e3 * lockstep::time_on_device(launch).median_ms;
        wrong += lockstep::count_mismatches(d_ends.to_host(), expected);
    }
    // [/both]
    lockstep::report("largest L1", lockstep::measured{us[0]}, "us");
    lockstep::report("largest shared memory", lockstep::measured{us[1]}, "us");
    lockstep::report("wrong ends", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
