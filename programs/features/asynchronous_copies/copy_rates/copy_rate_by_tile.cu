// How fast do blocks read global memory into shared memory? By plain loads and stores,
// by LDGSTS and by bulk copies, for tiles of 512 bytes to 32 KiB. The rate grows with
// the number of bytes in flight on an SM, until the memory is the limit.

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
constexpr int stages = 4;
enum variant { loads, ldgsts, bulk };

// [kernel]
/// Reads an array tile by tile into shared memory, and adds up its words.
/// @tparam how   a tile is copied
/// @param tiles  number of tiles
/// @param units  uint4s of a tile
/// @param x      tiles * units uint4s in device memory
/// @param sums   one word for each thread in device memory, written
template <variant how>
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
    using kernel = void (*)(int, int, const uint4*, unsigned*);
    const kernel kernels[] = {read_all<loads>, read_all<ldgsts>, read_all<bulk>};
    const char* names[] = {"loads", "LDGSTS", "bulk copy"};
    constexpr int most_shared = 200 * 1024;  // of an SM
    for (const kernel each : kernels)
        lockstep::check(cudaFuncSetAttribute(
            each, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));

    lockstep::csv_file series(csv, "copy,tile,~TB/s");
    std::printf("tile      %14s%14s%14s\n", names[0], names[1], names[2]);
    bool right = true;
    for (int tile = 512; tile <= 32 * 1024; tile *= 2) {
        const int shared = stages * tile;
        if (shared * blocks_per_sm > most_shared) break;
        const auto launch = [&](std::size_t how) {
            kernels[how]<<<blocks, block_size, shared>>>(static_cast<int>(bytes / tile),
                                                         tile / int(sizeof(uint4)),
                                                         d_x.data(), d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        for (std::size_t how = 0; how < 3; ++how) {
            d_sums.fill_bytes(0xFF);
            launch(how);
            unsigned sum = 0;
            for (const unsigned part : d_sums.to_host()) sum += part;
            right = right && sum == expected;
        }
        std::printf("%5d B   ", tile);
        if (!untimed) {
            const auto times = lockstep::time_in_turns(3, launch);
            for (std::size_t how = 0; how < 3; ++how) {
                const double rate = times[how].per_second(double(bytes)) * 1e-12;
                char text[24];
                std::snprintf(text, sizeof text, "~%.3g TB/s", rate);
                std::printf("%14s", text);
                series.row("\"%s\",%d,%.4g", names[how], tile, rate);
            }
        }
        std::printf("\n");
    }
    series.finish();
    std::printf("sums are %s\n", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
