// Where is each tile while a pipeline of three stages runs? One warp copies tiles to a
// ring of three buffers, another warp uses them. The program notes when each copy is
// issued, when its tile is taken for use, and when its buffer is given back.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int stages = 3;
constexpr int tile = 128;  // words of a tile
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

/// When something happened, in cycles since the kernel began.
struct moments {
    long long issued;    ///< its copy
    long long taken;     ///< its tile, for use
    long long released;  ///< its buffer
};

// [kernel]
/// Adds up the words of each tile. The first warp copies, the second one adds.
/// @param tiles  number of tiles
/// @param work   cycles that the use of a tile takes at least
/// @param in     tiles * tile words in device memory, 16-byte aligned
/// @param sums   one word for each lane and tile in device memory, written
/// @param when   the moments of each tile in device memory, written
__global__ void ring(int tiles, int work, const unsigned* in, unsigned* sums,
                     moments* when) {
    __shared__ alignas(16) unsigned words[stages][tile];
    __shared__ shared_state state;
    const auto block = cooperative_groups::this_thread_block();
    const int lane = threadIdx.x % 32;
    const bool copies = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state,
        copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    __shared__ long long begin;  // the same for both warps
    if (threadIdx.x == 0) begin = clock64();
    block.sync();
    for (int i = 0; i < tiles; ++i) {
        unsigned* const buffer = words[i % stages];
        if (copies) {
            pipe.producer_acquire();  // the buffer has been given back
            if (lane == 0) when[i].issued = clock64() - begin;
            cuda::memcpy_async(&buffer[4 * lane], &in[i * tile + 4 * lane],
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();  // the tile is there
            const long long taken = clock64();
            unsigned sum = 0;
            for (int k = 0; k < tile; k += 32) sum += buffer[k + (lane + 5) % 32];
            sums[i * 32 + lane] = sum;
            while (clock64() - taken < work) continue;  // the use of the tile
            if (lane == 0) when[i].taken = taken - begin;
            if (lane == 0) when[i].released = clock64() - begin;
            pipe.consumer_release();
        }
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 7, 1, 64);
    const int work = options.integer("work", 800, 0, 1'000'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    std::vector<unsigned> in(tiles * tile), expected(tiles * 32);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = unsigned(i) * 2654435761u;
    for (int i = 0; i < tiles; ++i)
        for (int lane = 0; lane < 32; ++lane)
            for (int k = 0; k < tile; k += 32)
                expected[i * 32 + lane] += in[i * tile + k + (lane + 5) % 32];
    const lockstep::device_buffer<unsigned> d_in(in);
    lockstep::device_buffer<unsigned> d_sums(expected.size());
    lockstep::device_buffer<moments> d_when(tiles);
    const auto launch = [&] {
        d_sums.fill_bytes(0xFF);
        ring<<<1, 64>>>(tiles, work, d_in.data(), d_sums.data(), d_when.data());
        lockstep::check(cudaGetLastError());
    };
    launch();  // brings the code to the GPU
    launch();
    const std::vector<moments> when = d_when.to_host();

    // [order]
    bool in_order = true;  // what the pipeline promises
    for (int i = 0; i < tiles; ++i) {
        in_order = in_order && when[i].issued < when[i].taken;
        if (i >= stages)  // the buffer was given back before it was filled again
            in_order = in_order && when[i - stages].released <= when[i].issued;
    }
    // [/order]
    lockstep::csv_file series(csv, "tile,buffer,~issued,~taken,~released");
    std::printf("cycles since the kernel began\n");
    std::printf("%4s%8s%14s%13s%15s\n", "tile", "buffer", "copy issued", "use begins",
                "buffer freed");
    for (int i = 0; i < tiles; ++i) {
        const long long at[] = {when[i].issued, when[i].taken, when[i].released};
        char text[3][24];
        for (int k = 0; k < 3; ++k) std::snprintf(text[k], 24, "~%lld", at[k]);
        std::printf("%4d%8d%14s%13s%15s\n", i, i % stages, text[0], text[1], text[2]);
        series.row("%d,%d,%lld,%lld,%lld", i, i % stages, at[0], at[1], at[2]);
    }
    series.finish();
    std::printf("refilled only once freed: %s\n", in_order ? "yes" : "no");
    const bool right = lockstep::count_mismatches(d_sums.to_host(), expected) == 0;
    return right && in_order ? EXIT_SUCCESS : EXIT_FAILURE;
}
