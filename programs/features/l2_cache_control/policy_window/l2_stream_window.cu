// What does an access policy window gain? A kernel reads a table again and again, and
// in between as many words of data that it needs once. A window on the stream asks the
// L2 cache to keep the table. Then the window is removed, and the L2 cache given back.

#include <algorithm>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int loads = 2;  // words of the array for each thread in a tile
constexpr int tile_words = loads * block_size;  // of the array, and of the table

// [kernel]
/// Adds up an array that it reads once, and with it a table that it reads in turns.
/// @param tiles        tiles of the array, of tile_words words each
/// @param data         the array in device memory
/// @param table_tiles  tiles of the table, of the same size
/// @param table        the table in device memory
/// @param result       one unsigned in device memory, increased by the sum
__global__ void mix(int tiles, const uint4* data, int table_tiles, const uint4* table,
                    unsigned* result) {
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
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long data_mib = options.integer<long long>("data-mib", 512, 1, 4096);
    const long long table_mib = options.integer<long long>("table-mib", 32, 1, 128);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));

    lockstep::device_buffer<uint4> d_data((data_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<uint4> d_table((table_mib << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_result(1);
    d_data.fill_bytes(1);
    d_table.fill_bytes(1);
    d_result.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const int tiles = static_cast<int>(d_data.size() / tile_words);
    const int table_tiles = static_cast<int>(d_table.size() / tile_words);
    const lockstep::owned_stream stream;
    unsigned launches = 0;
    const auto launch = [&] {
        mix<<<device.multiProcessorCount * 4, block_size, 0, stream>>>(
            tiles, d_data.data(), table_tiles, d_table.data(), d_result.data());
        lockstep::check(cudaGetLastError());
        ++launches;
    };
    const auto time_us = [&] {
        if (!untimed)
            return 1e3 * lockstep::time_on_device(launch, 20, stream).median_ms;
        launch();
        return 0.0;
    };
    const bool has_set_aside = device.persistingL2CacheMaxSize > 0;  // not under MIG
    const double found_us = time_us();
    std::size_t found = 0;
    if (has_set_aside) {
        lockstep::check(cudaDeviceGetLimit(&found, cudaLimitPersistingL2CacheSize));
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    }
    const double without_us = time_us();

    // [limit]
    if (has_set_aside)
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                                           device.persistingL2CacheMaxSize));
    // [/limit]
    const double set_aside_us = time_us();

    // [window]
    cudaStreamAttrValue attribute{};
    cudaAccessPolicyWindow& window = attribute.accessPolicyWindow;
    window.base_ptr = d_table.data();
    window.num_bytes =
        std::min(d_table.bytes(), std::size_t(device.accessPolicyMaxWindowSize));
    window.hitRatio = 1;
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
    // [/window]
    const double with_us = time_us();

    // [remove]
    window.num_bytes = 0;  // no window any more, for the launches that follow
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
    lockstep::check(cudaCtxResetPersistingL2Cache());  // no persisting lines either
    if (has_set_aside)
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, found));
    // [/remove]
    const double removed_us = time_us();

    const unsigned words = 2 * tile_words * 4;  // of a tile, 32 bits each
    const unsigned expected = launches * tiles * words * 0x01010101u;
    const bool right = d_result.to_host()[0] == expected;
    lockstep::report("table", table_mib, "MiB");
    lockstep::report("read once", data_mib, "MiB");
    if (!untimed) {
        lockstep::report("time, limit as found", lockstep::measured{found_us}, "us");
        lockstep::report("time, nothing set aside", lockstep::measured{without_us},
                         "us");
        lockstep::report("time, set-aside alone", lockstep::measured{set_aside_us},
                         "us");
        lockstep::report("time, window on the table", lockstep::measured{with_us},
                         "us");
        lockstep::report("time, all given back", lockstep::measured{removed_us}, "us");
    }
    lockstep::report("sums right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
