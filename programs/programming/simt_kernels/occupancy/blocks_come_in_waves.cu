// What happens to blocks that find no room? They wait until others finish. The time of
// a grid of equal blocks grows in steps: one more step each time the blocks no longer
// fit. Each block records where and when it ran, so the program can count how many were
// on an SM together.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr long long block_cycles = 50'000;

/// Where and when a block ran.
struct visit {
    unsigned sm;
    long long begin;  ///< on the SM's clock, in cycles
    long long end;  ///< likewise
};

// [kernel]
/// Each block runs for a fixed time and records where it was.
/// @param visits  device array, one entry per block
__global__ void stay(visit* visits) {
    const long long begin = clock64();
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    while (clock64() - begin < block_cycles) {
    }
    __syncthreads();
    if (threadIdx.x == 0) visits[blockIdx.x] = {sm, begin, clock64()};
}
// [/kernel]

// [count]
/// Most blocks that one SM ran at the same time.
int most_together(const std::vector<visit>& visits) {
    // per SM: time, +1 or -1
    std::map<unsigned, std::vector<std::pair<long long, int>>> changes;
    for (const visit& block : visits) {
        changes[block.sm].push_back({block.begin, 1});
        changes[block.sm].push_back({block.end, -1});
    }
    int most = 0;
    for (auto& [sm, events] : changes) {
        std::sort(events.begin(), events.end());
        int now = 0;
        for (const auto& [time, change] : events) {
            now += change;
            most = std::max(most, now);
        }
    }
    return most;
}
// [/count]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int block_size = options.integer("threads", 768, 32, 1024);
    const int only_blocks = options.integer("blocks", 0, 1, 100'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // [capacity]
    int sms = 0;
    int blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_on_each, stay,
                                                                  block_size, 0));
    const int wave = sms * blocks_on_each;
    // [/capacity]

    lockstep::device_buffer<visit> d_visits(std::max(4 * wave, only_blocks));
    d_visits.fill_bytes(0xFF);
    const auto time_us = [&](int blocks) {
        return lockstep::time_back_to_back(
                   [&] { stay<<<blocks, block_size>>>(d_visits.data()); }, 5)
                   .median_ms *
               1e3;
    };
    lockstep::report("SMs", sms);
    lockstep::report("threads in a block", block_size);
    lockstep::report("blocks in a wave", wave);
    if (only_blocks) {
        lockstep::report("blocks", only_blocks);
        lockstep::report("waves", (only_blocks + wave - 1) / wave);
        lockstep::report("time", lockstep::measured{time_us(only_blocks)}, "us");
        return EXIT_SUCCESS;
    }

    const double full = time_us(wave);
    const double one_more = time_us(wave + 1);
    std::vector<visit> visits = d_visits.to_host();
    visits.resize(wave + 1);
    const int together = most_together(visits);
    lockstep::report("blocks on an SM, by API", blocks_on_each);
    lockstep::report("blocks on an SM, observed", together);
    lockstep::report("time, one wave", lockstep::measured{full}, "us");
    lockstep::report("time, one wave + 1 block", lockstep::measured{one_more}, "us");

    lockstep::csv_file table(csv, "blocks,waves,~time_us");
    for (int step = 1; step <= 24 && csv; ++step) {
        for (const int more : {0, 1}) {
            if (more && step % 6 != 0) continue;
            const int blocks = wave * step / 6 + more;
            if (blocks > 4 * wave) continue;
            table.row("%d,%d,%.1f", blocks, (blocks + wave - 1) / wave,
                      time_us(blocks));
        }
    }
    table.finish();
    return together == blocks_on_each && one_more > 1.5 * full ? EXIT_SUCCESS
                                                               : EXIT_FAILURE;
}
