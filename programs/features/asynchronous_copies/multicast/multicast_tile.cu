// What does multicast save? Four blocks of a cluster need the same tiles. Each can copy
// every tile for itself; or one block copies it to all four; or each copies a quarter
// of it to all four. In the last two variants one request to L2 serves all four blocks,
// but the blocks have to wait for each other. A fourth one has only that wait: each
// block copies for itself, with the same barrier of the cluster. The last two have a
// ring with full and empty barriers and a producer warp, as libraries do: in one each
// block copies for itself, in the other each copies a quarter to all. With --relaxed
// there is one more of these, whose arrivals at other blocks do without a fence.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int cluster = 4;
constexpr int columns = 32;
constexpr int tile_rows = 256;
constexpr int part_rows = tile_rows / cluster;
constexpr int threads = 256;  // that add up
constexpr int warp = 32;

constexpr int chunks = tile_rows * columns / 4;  // of 16 bytes, in a tile
constexpr int parts = chunks / threads;  // a thread reads a chunk of each
constexpr int tile_bytes = chunks * sizeof(int4);
constexpr int most_stages = 6;

enum class variant {
    each_for_itself,
    itself_with_barrier,
    one_for_all,
    a_quarter_each
};

// [issue]
/// Issues this block's share of the copies of a tile; one thread.
/// @param rows     describes all tiles, in boxes of part_rows rows
/// @param row      first row of the tile
/// @param rank     of this block in its cluster
/// @param tile     room for the tile, at the same place in each block
/// @param arrived  barrier, at the same place in each block
template <variant how>
__device__ void issue(const CUtensorMap& rows, int row, int rank, int* tile,
                      std::uint64_t* arrived) {
    constexpr std::uint16_t all = (1 << cluster) - 1;  // a bit for each block
    for (int part = 0; part < cluster; ++part) {
        const std::int32_t corner[] = {0, row + part * part_rows};
        int* to = tile + part * part_rows * columns;
        if constexpr (how == variant::each_for_itself ||
                      how == variant::itself_with_barrier) {
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, &rows,
                                      corner, arrived);
        } else if (rank == (how == variant::one_for_all ? 0 : part)) {
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, &rows,
                                      corner, arrived, all);
        }
    }
}
// [/issue]

// [kernel]
/// Adds up tiles; all blocks of a cluster add up the same ones.
/// @param tiles   number of tiles
/// @param rounds  tiles that each block adds up
/// @param stages  tiles that a block has room for
/// @param reads   chunks that a thread adds up of each tile; with 8, all of it
/// @param rows    describes all tiles
/// @param sums    one int for each block in device memory, zero at first
template <variant how>
__global__ void __cluster_dims__(cluster)
    add_tiles(int tiles, int rounds, int stages, int reads,
              const __grid_constant__ CUtensorMap rows, int* sums) {
    alignas(128) extern __shared__ int4 ring[];  // stages tiles
    __shared__ std::uint64_t arrived[most_stages];
    const int rank = static_cast<int>(blockIdx.x % cluster);
    // clusters begin five tiles apart, so that they read different tiles at a time
    const int first = static_cast<int>(blockIdx.x / cluster) * 5;
    const auto fetch = [&](int round) {
        const int stage = round % stages;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, arrived + stage, tile_bytes);
        issue<how>(rows, (first + round) % tiles * tile_rows, rank,
                   reinterpret_cast<int*>(ring + stage * chunks), arrived + stage);
    };
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) ptx::mbarrier_init(arrived + i, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // the barriers of all four blocks exist
    if (threadIdx.x == 0)
        for (int round = 0; round < min(stages, rounds); ++round) fetch(round);
    // [/kernel]

    // [loop]
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const int stage = round % stages;
        lockstep::await_phase(arrived + stage, round / stages % 2);
        for (int i = 0; i < reads; ++i) {
            const int part = (round + i) % parts;  // of 256 chunks
            const int4 chunk = ring[stage * chunks + part * threads + threadIdx.x];
            sum += chunk.x + chunk.y + chunk.z + chunk.w;
        }
        // all blocks that the next tile comes to must have used this one
        if constexpr (how == variant::each_for_itself) {
            __syncthreads();
        } else {
            ptx::barrier_cluster_arrive();
            ptx::barrier_cluster_wait();
        }
        if (threadIdx.x == 0 && round + stages < rounds) fetch(round + stages);
    }
    atomicAdd(sums + blockIdx.x, sum);
}
// [/loop]

// [wait]
/// Waits for arrivals from other blocks of the cluster. Gives up after about a second.
__device__ void await_cluster(std::uint64_t* barrier, int parity) {
    const auto done = [&] {
        return ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                             barrier, parity);
    };
    if (done()) return;
    const long long begin = clock64();
    while (!done())
        if (clock64() - begin > 2'000'000'000) __trap();
}
// [/wait]

// [arrive]
/// A warp has read a tile, and says so to each block that copies into this one.
/// @tparam share    all blocks of the cluster do; otherwise only this one
/// @tparam relaxed  the arrivals order nothing: faster, without a promise
template <bool share, bool relaxed>
__device__ void arrive(std::uint64_t* empty) {
    __syncwarp();  // all lanes have read
    const int lane = threadIdx.x % warp;
    if constexpr (share) {
        if (lane < cluster) {  // a lane for each block
            std::uint64_t* there = cg::this_cluster().map_shared_rank(empty, lane);
            if constexpr (relaxed)
                ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cluster,
                                     ptx::space_cluster, there);
            else
                ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                                     ptx::space_cluster, there);
        }
    } else if (lane == 0) {
        static_cast<void>(ptx::mbarrier_arrive(empty));  // scope of the block
    }
}
// [/arrive]

// [ring-start]
/// Adds up tiles as add_tiles() does. One more warp copies, without a barrier of the
/// cluster in the loop.
/// @tparam share    each block copies a quarter to all; otherwise each for itself
/// @tparam relaxed  the arrivals at other blocks order nothing
/// @param tiles   number of tiles
/// @param rounds  tiles that each block adds up
/// @param stages  tiles that a block has room for
/// @param reads   chunks that a thread adds up of each tile; with 8, all of it
/// @param rows    describes all tiles
/// @param sums    one int for each block in device memory, zero at first
template <bool share, bool relaxed = false>
__global__ void __cluster_dims__(cluster)
    add_by_ring(int tiles, int rounds, int stages, int reads,
                const __grid_constant__ CUtensorMap rows, int* sums) {
    alignas(128) extern __shared__ int4 ring[];  // stages tiles
    __shared__ std::uint64_t full[most_stages], empty[most_stages];
    constexpr int writers = share ? cluster : 1;  // blocks that copy to this one
    const int rank = static_cast<int>(blockIdx.x % cluster);
    const int first = static_cast<int>(blockIdx.x / cluster) * 5;
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ptx::mbarrier_init(full + i, 1);
            // the warps that read what this block copies
            ptx::mbarrier_init(empty + i, writers * threads / warp);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // the barriers of all four blocks exist
    // [/ring-start]
    // [producer]
    if (threadIdx.x == threads) {  // one thread of the last warp
        constexpr variant how =
            share ? variant::a_quarter_each : variant::each_for_itself;
        for (int round = 0; round < rounds; ++round) {
            const int stage = round % stages;
            // the first wait for each stage returns at once
            await_cluster(empty + stage, (round / stages + 1) % 2);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, full + stage, tile_bytes);
            issue<how>(rows, (first + round) % tiles * tile_rows, rank,
                       reinterpret_cast<int*>(ring + stage * chunks), full + stage);
        }
    }
    // [/producer]
    // [consumers]
    if (threadIdx.x < threads) {
        int sum = 0;
        for (int round = 0; round < rounds; ++round) {
            const int stage = round % stages;
            lockstep::await_phase(full + stage, round / stages % 2);
            for (int i = 0; i < reads; ++i) {
                const int part = (round + i) % parts;
                const int4 chunk = ring[stage * chunks + part * threads + threadIdx.x];
                sum += chunk.x + chunk.y + chunk.z + chunk.w;
            }
            arrive<share, relaxed>(empty + stage);
        }
        atomicAdd(sums + blockIdx.x, sum);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // others may still signal to this block
}
// [/consumers]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 64, 1, 200);
    const int stages = options.integer("stages", 1, 1, most_stages);
    const int reads = options.integer("reads", parts, 1, 400);
    // as many clusters as an H200 has SMs
    const int blocks = cluster * options.integer("clusters", 132, 1, 1000);
    const bool relaxed = options.flag("relaxed");
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device(90);

    constexpr int tiles = 256;  // 8 MiB: they fit into L2
    std::vector<int> x(tiles * tile_rows * columns), part_sums(tiles * parts);
    for (int i = 0; i < static_cast<int>(x.size()); ++i) {
        x[i] = i % 31;
        part_sums[i / (threads * 4)] += x[i];
    }
    std::vector<int> expected(blocks);
    for (int block = 0; block < blocks; ++block)
        for (int round = 0; round < rounds; ++round)
            for (int i = 0; i < reads; ++i)
                expected[block] +=
                    part_sums[(block / cluster * 5 + round) % tiles * parts +
                              (round + i) % parts];

    lockstep::device_buffer<int> d_x(x), d_sums(blocks);
    const cuuint64_t sizes[] = {columns, tiles * tile_rows};
    const cuuint32_t box[] = {columns, part_rows};
    const CUtensorMap rows = lockstep::describe_tiles(d_x.data(), sizes, box);
    struct way {
        const char* name;
        decltype(&add_by_ring<true>) run;
        int block_size;
    };
    const way ways[] = {
        {"each for itself", add_tiles<variant::each_for_itself>, threads},
        {"itself with barrier", add_tiles<variant::itself_with_barrier>, threads},
        {"one for all", add_tiles<variant::one_for_all>, threads},
        {"a quarter each", add_tiles<variant::a_quarter_each>, threads},
        {"ring, for itself", add_by_ring<false>, threads + warp},
        {"ring, a quarter each", add_by_ring<true>, threads + warp},
        {"ring, relaxed", add_by_ring<true, true>, threads + warp}};
    const std::size_t count = sizeof ways / sizeof *ways - (relaxed ? 0 : 1);
    for (const way& each : ways)
        lockstep::check(
            cudaFuncSetAttribute(each.run, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 stages * tile_bytes));
    const auto launch = [&](std::size_t i) {
        d_sums.fill_bytes(0);
        ways[i].run<<<blocks, ways[i].block_size, stages * tile_bytes>>>(
            tiles, rounds, stages, reads, rows, d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) {
        launch(i);
        const bool same = d_sums.to_host() == expected;
        lockstep::report((std::string(ways[i].name) + ", right").c_str(), same);
        right = right && same;
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    const auto times = lockstep::time_in_turns(count, launch);
    for (std::size_t i = 0; i < count; ++i)
        lockstep::report((std::string(ways[i].name) + ", time").c_str(),
                         lockstep::measured{times[i].median_ms * 1e3}, "us");
    lockstep::report("gain over each for itself",
                     lockstep::measured{times[0].median_ms / times[3].median_ms});
    lockstep::report("gain over the barrier alone",
                     lockstep::measured{times[1].median_ms / times[3].median_ms});
    lockstep::report("gain in the ring",
                     lockstep::measured{times[4].median_ms / times[5].median_ms});
    if (relaxed)
        lockstep::report("gain in the ring, relaxed",
                         lockstep::measured{times[4].median_ms / times[6].median_ms});
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
