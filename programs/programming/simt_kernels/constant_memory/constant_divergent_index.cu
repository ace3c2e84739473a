// What is constant memory good for? For values that all lanes of a warp read together.
// The constant cache serves one address at a time, so 32 different ones are served one
// after the other, where ordinary loads are served together.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int entries = 256;
constexpr int block_size = 256;

__constant__ unsigned constant_table[entries];

// [kernel]
/// Reads the table again and again, each index depending on what was read before.
/// @param rounds    number of reads
/// @param different how many different entries the lanes of a warp read at a time, 1 to
///                  32
/// @param table     256 entries in device memory, or null for the constant table
/// @param results   one number for each thread in device memory
__global__ void look_up(int rounds, unsigned different,
                        const unsigned* __restrict__ table, unsigned* results) {
    unsigned index = threadIdx.x % different;
    for (int round = 0; round < rounds; ++round)
        index = (table ? table[index] : constant_table[index]) % entries;
    results[blockIdx.x * block_size + threadIdx.x] = index;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 2048, 1, 1 << 16);
    const unsigned most = options.integer<unsigned>("entries", 32, 1, 32);
    options.finish();
    lockstep::require_device();

    std::vector<unsigned> table(entries);
    // neighbors stay apart
    for (unsigned i = 0; i < entries; ++i) table[i] = (5 * i + 1) % entries;
    lockstep::check(
        cudaMemcpyToSymbol(constant_table, table.data(), sizeof constant_table));
    const lockstep::device_buffer<unsigned> d_table(table);

    int blocks = 0;  // one for each SM
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<unsigned> d_results(std::size_t(blocks) * block_size);
    double us[2][2] = {};
    bool right = true;
    for (const bool global : {false, true}) {
        for (const bool several : {false, true}) {
            const unsigned different = several ? most : 1;
            d_results.fill_bytes(0xFF);
            // [measure]
            const lockstep::timing time = lockstep::time_back_to_back([&] {
                look_up<<<blocks, block_size>>>(rounds, different,
                                                global ? d_table.data() : nullptr,
                                                d_results.data());
            });
            // [/measure]
            us[global][several] = time.median_ms * 1e3;
            char label[32];
            std::snprintf(label, sizeof label, "%s, %u %s a warp",
                          global ? "global" : "constant", different,
                          different == 1 ? "entry" : "entries");
            lockstep::report(label, lockstep::measured{us[global][several]}, "us");
            const std::vector<unsigned> results = d_results.to_host();
            for (std::size_t thread = 0; thread < results.size(); ++thread) {
                unsigned index = thread % block_size % different;
                for (int round = 0; round < rounds; ++round) index = table[index];
                right = right && results[thread] == index;
            }
        }
    }
    const bool slower = us[0][1] > 2 * us[0][0] && us[0][1] > us[1][1];
    return right && (rounds < 512 || most < 32 || slower) ? EXIT_SUCCESS : EXIT_FAILURE;
}
