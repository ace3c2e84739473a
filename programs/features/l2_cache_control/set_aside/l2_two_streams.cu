// How do kernels that run at the same time share the set-aside? Two kernels, each with
// a table of its own, in two streams: without windows, with a window each of ratio 1,
// with ratios that divide the set-aside or four fifths of it, and with a window for the
// first kernel alone.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int block_size = 512;
constexpr int loads = 2;  // words of the array for each thread in a tile
constexpr int tile_words = loads * block_size;  // of the array, and of the table

/// Adds up an array that it reads once, and with it a table that it reads in turns.
/// @param tiles        tiles of the array, of tile_words words each
/// @param data         the array in device memory
/// @param table_tiles  tiles of the table, of the same size
/// @param table        the table in device memory
/// @param result       one unsigned in device memory, increased by the sum
__global__ void mix_beside(int tiles, const uint4* data, int table_tiles,
                           const uint4* table, unsigned* result) {
    unsigned sum = 0;
    const auto add = [&](uint4 word) { sum += word.x + word.y + word.z + word.w; };
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const std::size_t first = std::size_t(tile) * tile_words + threadIdx.x;
        const std::size_t again =
            std::size_t(tile % table_tiles) * tile_words + threadIdx.x;
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            add(data[first + i * block_size]);
            add(table[again + i * block_size]);
        }
    }
    atomicAdd(result, sum);
}

/// Gives a stream a window.
void set_window(cudaStream_t stream, void* base, std::size_t bytes, double ratio) {
    cudaStreamAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = base;
    attribute.accessPolicyWindow.num_bytes = ratio > 0 ? bytes : 0;
    attribute.accessPolicyWindow.hitRatio = static_cast<float>(ratio);
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 512, 1, 4096);
    const int runs = options.integer("runs", 20, 1, 100);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    const double set_aside = device.persistingL2CacheMaxSize;
    if (device.persistingL2CacheMaxSize > 0)  // it is 0 under MIG
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                                           device.persistingL2CacheMaxSize));

    const int largest_mib = 40;
    const std::size_t data_words = (data_mib << 20) / sizeof(uint4);
    const std::size_t table_words = (largest_mib << 20) / sizeof(uint4);
    lockstep::device_buffer<uint4> d_data(2 * data_words), d_tables(2 * table_words);
    lockstep::device_buffer<unsigned> d_results(2);
    d_data.fill_bytes(1);
    d_tables.fill_bytes(1);
    d_results.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const int tiles = static_cast<int>(data_words / tile_words);
    const lockstep::owned_stream streams[2];
    const lockstep::owned_event begin, ends[2];
    unsigned launches = 0;

    const char* names[] = {"no windows", "ratio 1 each", "ratios fitted", "first only"};
    lockstep::csv_file series(csv, "table_mib,windows,~first_us,~second_us,~both_us");
    std::printf("time until both kernels have ended\n%9s", "tables");
    for (const char* name : names) std::printf("%15s", name);
    std::printf("\n");
    for (int mib = 4; mib <= largest_mib; mib += 4) {
        const std::size_t bytes = std::size_t(mib) << 20;
        const int table_tiles = static_cast<int>(bytes / (tile_words * sizeof(uint4)));
        std::printf("%5d MiB", mib);
        for (int variant = 0; variant < 4; ++variant) {
            // [ratios]
            const double half = set_aside / 2;
            const double fitted = std::min(1.0, half / static_cast<double>(bytes));
            const double first[] = {0, 1, fitted, 1};
            const double second[] = {0, 1, fitted, 0};
            // [/ratios]
            uint4* tables[] = {d_tables.data(), d_tables.data() + table_words};
            lockstep::check(cudaCtxResetPersistingL2Cache());
            set_window(streams[0], tables[0], bytes, first[variant]);
            set_window(streams[1], tables[1], bytes, second[variant]);

            std::vector<double> samples_ms[3];
            for (int run = -3; run < runs; ++run) {  // the first three warm up
                // [launch]
                lockstep::check(cudaEventRecord(begin, streams[0]));
                lockstep::check(cudaStreamWaitEvent(streams[1], begin));
                for (int i = 0; i < 2; ++i) {
                    mix_beside<<<device.multiProcessorCount * 2, block_size, 0,
                                 streams[i]>>>(tiles, d_data.data() + i * data_words,
                                               table_tiles, tables[i],
                                               d_results.data() + i);
                    lockstep::check(cudaGetLastError());
                    lockstep::check(cudaEventRecord(ends[i], streams[i]));
                }
                // [/launch]
                ++launches;
                float ms[2] = {};
                for (int i = 0; i < 2; ++i) {
                    lockstep::check(cudaEventSynchronize(ends[i]));
                    lockstep::check(cudaEventElapsedTime(&ms[i], begin, ends[i]));
                }
                if (run < 0) continue;
                for (int i = 0; i < 2; ++i) samples_ms[i].push_back(ms[i]);
                samples_ms[2].push_back(std::max(ms[0], ms[1]));
            }
            double us[3] = {};
            for (int i = 0; i < 3; ++i)
                us[i] = 1e3 * lockstep::summarize(samples_ms[i]).median_ms;
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f us", us[2]);
            std::printf("%15s", text);
            series.row("%d,\"%s\",%.4g,%.4g,%.4g", mib, names[variant], us[0], us[1],
                       us[2]);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::check(cudaCtxResetPersistingL2Cache());

    const unsigned words = 2 * tile_words * 4;  // of a tile, 32 bits each
    const unsigned expected = launches * tiles * words * 0x01010101u;
    const std::vector<unsigned> results = d_results.to_host();
    const bool right = results[0] == expected && results[1] == expected;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
