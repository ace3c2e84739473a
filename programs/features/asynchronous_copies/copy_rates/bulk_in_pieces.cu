// A tile of 16 KiB arrives by one bulk copy, or by many small ones. How long does it
// take, and does it matter how the thread that issues them is chosen? The compiler has
// to know that it is one.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int tile = 4096;  // words: 16 KiB
enum choice { thread_0, one_invoked, one_elected };

// [elect]
/// True in one thread of a warp of which all threads call it.
__device__ bool elect_sync() {
    unsigned elected = 0;
    asm volatile(
        "{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\t"
        "selp.b32 %0, 1, 0, p;\n\t}"
        : "=r"(elected));
    return elected != 0;
}
// [/elect]

// [kernel]
/// Copies tiles to shared memory and adds up one word of each thread.
/// @tparam who   issues the copies
/// @param tiles  number of tiles of each block
/// @param chunk  words of each copy, a multiple of 4
/// @param x      tiles * tile words for each block in device memory, 16-byte aligned
/// @param sums   one word for each thread in device memory, written
template <choice who>
__global__ void read_tiles(int tiles, int chunk, const unsigned* x, unsigned* sums) {
    __shared__ alignas(128) unsigned words[tile];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    x += std::size_t(blockIdx.x) * tiles * tile;
    unsigned sum = 0;
    for (int i = 0; i < tiles; ++i) {
        const auto fetch = [&] {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, &arrived, sizeof words);
            for (int k = 0; k < tile; k += chunk)
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words + k,
                                   x + i * tile + k, chunk * sizeof(unsigned),
                                   &arrived);
        };
        if constexpr (who == thread_0) {
            if (threadIdx.x == 0) fetch();
        } else if constexpr (who == one_invoked) {
            const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
            if (warp.meta_group_rank() == 0) cg::invoke_one(warp, fetch);
        } else if (threadIdx.x < 32 && elect_sync()) {
            fetch();
        }
        lockstep::await_phase(&arrived, i % 2);
        sum += words[threadIdx.x * 31];  // words from all over the tile
        __syncthreads();  // all threads have read the tile
    }
    sums[blockIdx.x * block_size + threadIdx.x] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 16, 1, 64);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> x(std::size_t(blocks) * tiles * tile);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned>(i * 40503);
    std::vector<unsigned> expected(blocks * block_size);
    for (int block = 0; block < blocks; ++block)
        for (int t = 0; t < block_size; ++t)
            for (int i = 0; i < tiles; ++i)
                expected[block * block_size + t] +=
                    x[(std::size_t(block) * tiles + i) * tile + t * 31];
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(expected.size());
    using kernel = void (*)(int, int, const unsigned*, unsigned*);
    const kernel kernels[] = {read_tiles<thread_0>, read_tiles<one_invoked>,
                              read_tiles<one_elected>};
    const char* names[] = {"thread 0", "invoke_one", "elect.sync"};

    lockstep::csv_file series(csv, "issuer,piece,~ns");
    std::printf("time of a tile, by the size of a copy\n");
    std::printf("copy      %14s%14s%14s\n", names[0], names[1], names[2]);
    std::size_t wrong = 0;
    for (int chunk = 4; chunk <= tile; chunk *= 4) {
        const auto launch = [&](std::size_t who) {
            kernels[who]<<<blocks, block_size>>>(tiles, chunk, d_x.data(),
                                                 d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        for (std::size_t who = 0; who < 3; ++who) {
            d_sums.fill_bytes(0xFF);
            launch(who);
            wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
        }
        std::printf("%5d B   ", chunk * 4);
        if (!untimed) {
            const auto times = lockstep::time_in_turns(3, launch);
            for (std::size_t who = 0; who < 3; ++who) {
                const double ns = 1e6 * times[who].median_ms / tiles;
                char text[24];
                std::snprintf(text, sizeof text, "~%.0f ns", ns);
                std::printf("%14s", text);
                series.row("\"%s\",%d,%.4g", names[who], chunk * 4, ns);
            }
        }
        std::printf("\n");
    }
    series.finish();
    std::printf("wrong sums %zu\n", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
