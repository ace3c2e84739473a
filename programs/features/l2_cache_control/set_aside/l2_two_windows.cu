// What do two windows do that each fit the set-aside, but not together? Two kernels at
// the same time look up words of a table each, after another kernel has read more data
// than L2 holds. Compared: no set-aside, the first kernel alone, a window for one of
// the two, and a window for both, of hit ratio 1 and 1/2.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int line_words = 32;  // of a cache line, 128 bytes
constexpr int chains = 1024;  // blocks of one thread each

/// Follows chains through a table, one for each block: each word says where the next
/// one is. Together the chains visit each line of the table once.
/// @param steps   number of lookups of each block, one after the other
/// @param starts  for each block the line where it begins
/// @param table   lines of line_words words; the first word is the next line
/// @param result  one unsigned in device memory, increased by the sum of the lines
__global__ void look_up_beside(int steps, const unsigned* starts, const unsigned* table,
                               unsigned* result) {
    unsigned line = starts[blockIdx.x];
    unsigned sum = 0;
    for (int step = 0; step < steps; ++step) {
        line = __ldcg(table + std::size_t(line) * line_words);  // not from L1
        sum += line;
    }
    atomicAdd(result, sum);
}

/// Reads an array, so that its lines take the place of others in L2.
/// @param n       number of elements
/// @param data    the array in device memory, of zeros
/// @param result  one unsigned in device memory, increased by the sum
__global__ void read_between(std::size_t n, const uint4* data, unsigned* result) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += std::size_t(gridDim.x) * blockDim.x)
        sum += data[i].x + data[i].y + data[i].z + data[i].w;
    atomicAdd(result, sum);
}

/// Makes a table of which a walk visits all lines, in random order, and returns to the
/// first one.
/// @param table   filled: the first word of each line is the number of the next line
/// @param starts  filled: lines at equal distances on this walk
/// @param bytes   size of the table
void make_chains(std::vector<unsigned>& table, std::vector<unsigned>& starts,
                 std::size_t bytes) {
    const std::size_t lines = bytes / (line_words * sizeof(unsigned));
    std::vector<unsigned> order(lines);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    table.assign(lines * line_words, 0);
    for (std::size_t i = 0; i < lines; ++i)
        table[std::size_t(order[i]) * line_words] = order[(i + 1) % lines];
    starts.clear();
    for (int chain = 0; chain < chains; ++chain)
        starts.push_back(order[chain * (lines / chains)]);
}

/// Gives a stream a window, or none.
void set_window(cudaStream_t stream, void* base, std::size_t bytes, float ratio) {
    cudaStreamAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = base;
    attribute.accessPolicyWindow.num_bytes = ratio > 0 ? bytes : 0;
    attribute.accessPolicyWindow.hitRatio = ratio;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
}

// [ways]
/// Which kernels run, with which windows.
struct variant {
    const char* name;
    bool set_aside;   ///< the largest one; else none
    int kernels;      ///< 1: the first kernel runs alone
    float ratios[2];  ///< of each kernel's window; 0: no window
};
constexpr variant variants[] = {
    {"no set-aside", false, 2, {0, 0}},        {"one kernel", true, 1, {1, 0}},
    {"first window only", true, 2, {1, 0}},    {"ratio 1 each", true, 2, {1, 1}},
    {"ratio 1/2 each", true, 2, {0.5f, 0.5f}},
};
// [/ways]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 256, 1, 4096);
    const int largest_mib = options.integer("largest-mib", 32, 8, 64);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));

    lockstep::device_buffer<uint4> d_data((data_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_results(2);
    d_data.fill_bytes(0);
    const lockstep::owned_stream streams[2];
    const lockstep::owned_event begin, ends[2];

    lockstep::csv_file series(csv, "table_mib,windows,kernel,~us,~ns_per_lookup");
    std::printf("time of a kernel / lookups of a thread, of both kernels\n%9s",
                "tables");
    for (const variant& v : variants) std::printf("%19s", v.name);
    std::printf("\n");
    bool right = true;
    std::vector<unsigned> table, starts;
    for (int mib = 8; mib <= largest_mib; mib += 8) {
        const std::size_t bytes = std::size_t(mib) << 20;
        make_chains(table, starts, bytes);
        lockstep::device_buffer<unsigned> d_tables[2] = {
            lockstep::device_buffer<unsigned>(table),
            lockstep::device_buffer<unsigned>(table)};
        const lockstep::device_buffer<unsigned> d_starts(starts);
        const unsigned lines = static_cast<unsigned>(table.size() / line_words);
        const int steps = static_cast<int>(lines / chains);
        unsigned table_sum = 0;
        for (unsigned line = 0; line < lines; ++line) table_sum += line;

        std::printf("%5d MiB", mib);
        for (const variant& v : variants) {
            if (device.persistingL2CacheMaxSize > 0)  // it is 0 under MIG
                lockstep::check(cudaDeviceSetLimit(
                    cudaLimitPersistingL2CacheSize,
                    v.set_aside ? device.persistingL2CacheMaxSize : 0));
            for (int i = 0; i < 2; ++i)
                set_window(streams[i], d_tables[i].data(), bytes, v.ratios[i]);
            lockstep::check(cudaCtxResetPersistingL2Cache());
            d_results.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());

            std::vector<double> samples_ms[2];
            for (int round = -3; round < rounds; ++round) {  // the first three warm up
                // [launch]
                read_between<<<device.multiProcessorCount * 4, 512, 0, streams[0]>>>(
                    d_data.size(), d_data.data(), d_results.data());
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaEventRecord(begin, streams[0]));
                lockstep::check(cudaStreamWaitEvent(streams[1], begin));
                for (int i = 0; i < v.kernels; ++i) {
                    look_up_beside<<<chains, 1, 0, streams[i]>>>(steps, d_starts.data(),
                                                                 d_tables[i].data(),
                                                                 d_results.data() + i);
                    lockstep::check(cudaGetLastError());
                    lockstep::check(cudaEventRecord(ends[i], streams[i]));
                }
                // [/launch]
                for (int i = 0; i < v.kernels; ++i) {
                    lockstep::check(cudaEventSynchronize(ends[i]));
                    float ms = 0;
                    lockstep::check(cudaEventElapsedTime(&ms, begin, ends[i]));
                    if (round >= 0) samples_ms[i].push_back(ms);
                }
            }
            std::string text;
            for (int i = 0; i < v.kernels; ++i) {
                const double us = 1e3 * lockstep::summarize(samples_ms[i]).median_ms;
                const double ns = 1e3 * us / steps;
                series.row("%d,\"%s\",%d,%.4g,%.4g", mib, v.name, i + 1, us, ns);
                if (i > 0) text += ", ";
                text += "~" + std::to_string(std::lround(ns)) + " ns";
            }
            std::printf("%19s", text.c_str());
            const std::vector<unsigned> results = d_results.to_host();
            for (int i = 0; i < 2; ++i)
                right = right &&
                        results[i] == (i < v.kernels ? (rounds + 3) * table_sum : 0);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::check(cudaCtxResetPersistingL2Cache());
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
