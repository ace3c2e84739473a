// How fast do blocks read global memory into shared memory? By plain loads and stores,
// by loads that request the next tile into registers while a tile is used, by LDGSTS
// and by bulk copies, for tiles of 512 bytes to 32 KiB. The rate grows with the number
// of bytes in flight on an SM, until the memory is the limit. Bulk copies run with room
// for two tiles, as many as the early loads have, and for four.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline_primitives.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 128;
enum variant { loads, ldgsts, bulk };

// [kernel]
/// Reads an array tile by tile into shared memory, and adds up its words.
/// @tparam how     a tile is copied
/// @tparam stages  tiles that a block has room for
/// @param tiles    number of tiles
/// @param units    uint4s of a tile
/// @param x        tiles * units uint4s in device memory
/// @param sums     one word for each thread in device memory, written
template <variant how, int stages>
__global__ void read_all(int tiles, int units, const uint4* x, unsigned* sums) {
    extern __shared__ __align__(128) uint4 ring[];
    __shared__ std::uint64_t arrived[stages];
    const int t = threadIdx.x;
    if (how == bulk && t == 0) {
        for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    const auto fetch = [&](int i, int stage) {  // the block's tile i
        const long long tile = blockIdx.x + static_cast<long long>(i) * gridDim.x;
        const uint4* from = x + tile * units;
        uint4* to = ring + stage * units;
        if (tile < tiles && how == loads)
            for (int k = t; k < units; k += block_size) to[k] = from[k];
        if (tile < tiles && how == ldgsts)
            for (int k = t; k < units; k += block_size)
                __pipeline_memcpy_async(to + k, from + k, sizeof(uint4));
        if (how == ldgsts) __pipeline_commit();  // even if it is empty
        if (tile < tiles && how == bulk && t == 0) {
            const auto bytes = static_cast<std::uint32_t>(units * sizeof(uint4));
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, &arrived[stage], bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes,
                               &arrived[stage]);
        }
    };
    // [/kernel]
    // [loop]
    unsigned sum = 0;
    if (how != loads)
        for (int i = 0; i < stages; ++i) fetch(i, i);
    for (int i = 0; blockIdx.x + i * gridDim.x < tiles; ++i) {
        const int stage = i % stages;
        if (how == loads) fetch(i, stage);
        if (how == ldgsts) __pipeline_wait_prior(stages - 1);
        if (how == bulk) lockstep::await_phase(&arrived[stage], i / stages % 2);
        __syncthreads();  // the tile is there for all threads
        for (int k = t; k < units; k += block_size) {
            const uint4 words = ring[stage * units + (k ^ 1)];  // another thread's
            sum += words.x + words.y + words.z + words.w;
        }
        __syncthreads();  // all threads are done with the stage
        if (how != loads) fetch(i + stages, stage);
    }
    sums[blockIdx.x * block_size + t] = sum;
}
// [/loop]

// [ahead]
/// Reads an array as read_all() does, with the next tile in registers.
/// @tparam each  uint4s of a tile for each thread, rounded up
/// @param tiles  number of tiles
/// @param units  uint4s of a tile
/// @param x      tiles * units uint4s in device memory
/// @param sums   one word for each thread in device memory, written
template <int each>
__global__ void read_ahead(int tiles, int units, const uint4* x, unsigned* sums) {
    extern __shared__ __align__(128) uint4 ring[];  // one tile
    const int t = threadIdx.x;
    uint4 next[each] = {};
    const auto load = [&](int i) {  // the block's tile i
        const long long tile = blockIdx.x + static_cast<long long>(i) * gridDim.x;
        for (int k = 0; k < each; ++k)
            if (tile < tiles && k * block_size + t < units)
                next[k] = x[tile * units + k * block_size + t];
    };
    load(0);
    unsigned sum = 0;
    for (int i = 0; blockIdx.x + i * gridDim.x < tiles; ++i) {
        for (int k = 0; k < each; ++k)
            if (k * block_size + t < units) ring[k * block_size + t] = next[k];
        __syncthreads();  // the tile is there for all threads
        load(i + 1);  // in flight while this tile is used
        for (int k = t; k < units; k += block_size) {
            const uint4 words = ring[k ^ 1];
            sum += words.x + words.y + words.z + words.w;
        }
        __syncthreads();  // all threads are done with the tile
    }
    sums[blockIdx.x * block_size + t] = sum;
}
// [/ahead]

using kernel = void (*)(int, int, const uint4*, unsigned*);

/// The kernel that holds a tile in registers.
/// @param units    uint4s of a tile
kernel ahead(int units) {
    switch (units / block_size) {
        case 16: return read_ahead<16>;
        case 8: return read_ahead<8>;
        case 4: return read_ahead<4>;
        case 2: return read_ahead<2>;
        default: return read_ahead<1>;
    }
}

/// A way to read the array.
struct way {
    const char* name;
    kernel run;
    int room;  ///< tiles in shared memory
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 256, 1, 1024);
    const int blocks_per_sm = options.integer("blocks-per-sm", 1, 1, 8);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = untimed ? 2 : sms * blocks_per_sm;
    const std::size_t bytes = std::size_t(mib) << 20;
    std::vector<uint4> x(bytes / sizeof(uint4));
    unsigned expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto word = static_cast<unsigned>(i * 2654435761u);
        x[i] = {word, word + 1, word + 2, word + 3};
        expected += 4 * word + 6;
    }
    const lockstep::device_buffer<uint4> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(std::size_t(blocks) * block_size);
    way ways[] = {{"loads", read_all<loads, 1>, 1},
                  {"loads ahead", nullptr, 1},  // depends on the tile
                  {"bulk, 2 tiles", read_all<bulk, 2>, 2},
                  {"LDGSTS", read_all<ldgsts, 4>, 4},
                  {"bulk copy", read_all<bulk, 4>, 4}};
    constexpr std::size_t count = sizeof ways / sizeof *ways;
    constexpr int most_shared = 200 * 1024;  // of an SM

    lockstep::csv_file series(csv, "copy,tile,~TB/s");
    std::printf("tile   ");
    for (const way& each : ways) std::printf("%16s", each.name);
    std::printf("\n");
    bool right = true;
    for (int tile = 512; tile <= 32 * 1024; tile *= 2) {
        if (4 * tile * blocks_per_sm > most_shared) break;
        const int units = tile / int(sizeof(uint4));
        ways[1].run = ahead(units);
        for (const way& each : ways)
            lockstep::check(cudaFuncSetAttribute(
                each.run, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));
        const auto launch = [&](std::size_t i) {
            ways[i].run<<<blocks, block_size, ways[i].room * tile>>>(
                static_cast<int>(bytes / tile), units, d_x.data(), d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        for (std::size_t i = 0; i < count; ++i) {
            d_sums.fill_bytes(0xFF);
            launch(i);
            unsigned sum = 0;
            for (const unsigned part : d_sums.to_host()) sum += part;
            right = right && sum == expected;
        }
        std::printf("%5d B", tile);
        if (!untimed) {
            const auto times = lockstep::time_in_turns(count, launch);
            for (std::size_t i = 0; i < count; ++i) {
                const double rate = times[i].per_second(double(bytes)) * 1e-12;
                char text[24];
                std::snprintf(text, sizeof text, "~%.3g TB/s", rate);
                std::printf("%16s", text);
                series.row("\"%s\",%d,%.4g", ways[i].name, tile, rate);
            }
        }
        std::printf("\n");
    }
    series.finish();
    std::printf("sums are %s\n", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
