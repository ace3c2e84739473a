// What does a policy window gain for tables of different sizes, and what if the table
// is larger than the set-aside? The same kernel without a window, with a hit ratio of
// 1, and with ratios that make as much of the table persisting as there is room for, or
// fill four fifths of the room; and with a set-aside no larger than the table.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <cuda_profiler_api.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int loads = 2;  // words of the array for each thread in a tile
constexpr int tile_words = loads * block_size;  // of the array, and of the table

/// Adds up an array that it reads once, and with it a table that it reads in turns.
/// @param tiles        tiles of the array, of tile_words words each
/// @param data         the array in device memory
/// @param table_tiles  tiles of the table, of the same size
/// @param table        the table in device memory
/// @param result       one unsigned in device memory, increased by the sum
__global__ void mix_with_ratio(int tiles, const uint4* data, int table_tiles,
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

// [set]
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
// [/set]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 2048, 1, 4096);
    const bool once = options.flag("once");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    const std::size_t set_aside = device.persistingL2CacheMaxSize;

    const int largest_mib = 64;
    lockstep::device_buffer<uint4> d_data((data_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<uint4> d_table((largest_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_result(1);
    d_data.fill_bytes(1);
    d_table.fill_bytes(1);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    const int tiles = static_cast<int>(d_data.size() / tile_words);
    const unsigned words = 2 * tile_words * 4;  // of a tile, 32 bits each

    const char* names[] = {"no set-aside", "no window", "ratio 1", "ratio fitted",
                           "small set-aside"};
    lockstep::csv_file series(csv, "table_mib,window,~us");
    if (!once) {
        std::printf("%9s", "table");
        for (const char* name : names) std::printf("%17s", name);
        std::printf("\n");
    }
    bool right = true;
    for (const int mib : {4, 8, 16, 24, 32, 40, 48, 56, largest_mib}) {
        const std::size_t bytes = std::size_t(mib) << 20;
        const int table_tiles = static_cast<int>(bytes / (tile_words * sizeof(uint4)));
        // [ratios]
        const double fitted =
            std::min(1.0, static_cast<double>(set_aside) / static_cast<double>(bytes));
        const std::size_t small = std::min(set_aside, bytes);
        const double ratios[] = {0, 0, 1, fitted, fitted};
        const std::size_t limits[] = {0, set_aside, set_aside, set_aside, small};
        // [/ratios]
        if (!once) std::printf("%5d MiB", mib);
        for (int i = 0; i < 5; ++i) {
            if (set_aside > 0)  // it is 0 under MIG
                lockstep::check(
                    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, limits[i]));
            set_window(stream, d_table.data(), ratios[i] > 0 ? bytes : 0, ratios[i]);
            d_result.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            unsigned launched = 0;
            const auto launch = [&] {
                mix_with_ratio<<<device.multiProcessorCount * 4, block_size, 0,
                                 stream>>>(tiles, d_data.data(), table_tiles,
                                           d_table.data(), d_result.data());
                lockstep::check(cudaGetLastError());
                ++launched;
            };
            if (once) {
                launch();  // the second launch is profiled
                lockstep::check(cudaStreamSynchronize(stream));
                lockstep::check(cudaProfilerStart());
                launch();
                lockstep::check(cudaStreamSynchronize(stream));
                lockstep::check(cudaProfilerStop());
                std::printf("case %d,%s\n", mib, names[i]);
            } else {
                const double us =
                    1e3 * lockstep::time_on_device(launch, 20, stream).median_ms;
                char text[24];
                std::snprintf(text, sizeof text, "~%.0f us", us);
                std::printf("%17s", text);
                series.row("%d,\"%s\",%.4g", mib, names[i], us);
            }
            lockstep::check(cudaStreamSynchronize(stream));
            right = right &&
                    d_result.to_host()[0] == launched * tiles * words * 0x01010101u;
        }
        if (!once) std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
