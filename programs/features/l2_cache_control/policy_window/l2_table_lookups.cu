// Does a policy window save time if the kernel waits for each access? A kernel looks up
// words of a table one after the other, and before each of its launches another kernel
// reads more data than the L2 cache holds. If the window keeps the table all the same,
// a lookup takes the latency of L2, and else that of device memory.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_profiler_api.h>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int line_words = 32;  // of a cache line, 128 bytes
constexpr int chains = 1024;  // blocks of one thread each

// [kernel]
/// Follows chains through a table, one for each block: each word says where the next
/// one is. Together the chains visit each line of the table once.
/// @param steps   number of lookups of each block, one after the other
/// @param starts  for each block the line where it begins
/// @param table   lines of line_words words; the first word is the next line
/// @param result  one unsigned in device memory, increased by the sum of the lines
__global__ void look_up(int steps, const unsigned* starts, const unsigned* table,
                        unsigned* result) {
    unsigned line = starts[blockIdx.x];
    unsigned sum = 0;
    for (int step = 0; step < steps; ++step) {
        line = __ldcg(table + std::size_t(line) * line_words);  // not from L1
        sum += line;
    }
    atomicAdd(result, sum);
}
// [/kernel]

/// Adds up an array that is needed once.
/// @param n       number of elements
/// @param data    the array in device memory
/// @param result  one unsigned in device memory, increased by the sum
__global__ void read_once(std::size_t n, const uint4* data, unsigned* result) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += std::size_t(gridDim.x) * blockDim.x)
        sum += data[i].x + data[i].y + data[i].z + data[i].w;
    atomicAdd(result, sum);
}

// [chains]
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
// [/chains]

// [window]
/// Gives a stream a window, and resets the lines that were persisting before.
/// @param stream  the stream, in which no kernel may run
/// @param base    where the window begins
/// @param bytes   its size; 0 for no window
/// @param ratio   share of its lines that are to be persisting
void set_window(cudaStream_t stream, void* base, std::size_t bytes, double ratio) {
    cudaStreamAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = base;
    attribute.accessPolicyWindow.num_bytes = bytes;
    attribute.accessPolicyWindow.hitRatio = static_cast<float>(ratio);
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
    lockstep::check(cudaCtxResetPersistingL2Cache());
}
// [/window]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 256, 1, 4096);
    const long long largest_mib = options.integer<long long>("largest-mib", 64, 4, 64);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    const bool once = options.flag("once");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    const std::size_t set_aside = device.persistingL2CacheMaxSize;

    lockstep::device_buffer<uint4> d_data((data_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_result(1);
    d_data.fill_bytes(1);
    const unsigned data_sum = static_cast<unsigned>(d_data.size()) * 4 * 0x01010101u;
    const lockstep::owned_stream stream;

    const char* names[] = {"no set-aside", "no window", "ratio 1", "ratio fitted",
                           "small set-aside"};
    lockstep::csv_file series(csv, "table_mib,window,~us,~ns_per_lookup");
    if (!once) {
        std::printf("time of a launch / lookups of a thread\n%9s", "table");
        for (const char* name : names) std::printf("%17s", name);
        std::printf("\n");
    }
    bool right = true;
    std::vector<unsigned> table, starts;
    for (const int mib : {4, 8, 16, 24, 32, 40, 48, 56, 64}) {
        if (mib > largest_mib) break;
        const std::size_t bytes = std::size_t(mib) << 20;
        make_chains(table, starts, bytes);
        lockstep::device_buffer<unsigned> d_table(table);
        const lockstep::device_buffer<unsigned> d_starts(starts);
        const unsigned lines = static_cast<unsigned>(table.size() / line_words);
        const int steps = static_cast<int>(lines / chains);
        unsigned table_sum = 0;
        for (unsigned line = 0; line < lines; ++line) table_sum += line;

        const double fitted =
            std::min(1.0, static_cast<double>(set_aside) / static_cast<double>(bytes));
        const std::size_t small = std::min(set_aside, bytes);  // as large as the table
        const double ratios[] = {0, 0, 1, fitted, fitted};
        const std::size_t limits[] = {0, set_aside, set_aside, set_aside, small};
        if (!once) std::printf("%5d MiB", mib);
        for (int i = 0; i < 5; ++i) {
            if (set_aside > 0)  // it is 0 under MIG
                lockstep::check(
                    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, limits[i]));
            set_window(stream, d_table.data(), ratios[i] > 0 ? bytes : 0, ratios[i]);
            d_result.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            unsigned expected = 0;
            // [turns]
            const auto launch = [&](std::size_t kernel) {
                if (kernel == 0) {
                    read_once<<<device.multiProcessorCount * 4, 512, 0, stream>>>(
                        d_data.size(), d_data.data(), d_result.data());
                    expected += data_sum;
                } else {
                    look_up<<<chains, 1, 0, stream>>>(steps, d_starts.data(),
                                                      d_table.data(), d_result.data());
                    expected += table_sum;
                }
                lockstep::check(cudaGetLastError());
            };
            // [/turns]
            if (once) {
                for (int round = 0; round < 5; ++round)  // as when it is timed
                    for (const int kernel : {1, 0}) launch(kernel);
                lockstep::check(cudaStreamSynchronize(stream));
                lockstep::check(cudaProfilerStart());
                launch(1);  // these lookups are profiled
                lockstep::check(cudaStreamSynchronize(stream));
                lockstep::check(cudaProfilerStop());
                std::printf("case %d,%s\n", mib, names[i]);
            } else {
                const double us =
                    1e3 *
                    lockstep::time_in_turns(2, launch, rounds, stream)[1].median_ms;
                const double ns = 1e3 * us / steps;
                char text[24];
                std::snprintf(text, sizeof text, "~%.0f ns", ns);
                std::printf("%17s", text);
                series.row("%d,\"%s\",%.4g,%.4g", mib, names[i], us, ns);
            }
            lockstep::check(cudaStreamSynchronize(stream));
            right = right && d_result.to_host()[0] == expected;
        }
        if (!once) std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
