// What does multicast save? Four blocks of a cluster need the same tiles. Each can copy
// every tile for itself; or one block copies it to all four; or each copies a quarter
// of it to all four. In the last two variants one request to L2 serves all four blocks,
// but the blocks have to wait for each other. A fourth one has only that wait: each
// block copies for itself, with the same barrier of the cluster.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

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

constexpr int cluster = 4;
constexpr int columns = 32;
constexpr int tile_rows = 256;
constexpr int part_rows = tile_rows / cluster;
constexpr int threads = 256;

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

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 64, 1, 200);
    const int stages = options.integer("stages", 1, 1, most_stages);
    const int reads = options.integer("reads", parts, 1, 400);
    // as many clusters as an H200 has SMs
    const int blocks = cluster * options.integer("clusters", 132, 1, 1000);
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
    constexpr const char* names[] = {"each for itself", "itself with barrier",
                                     "one for all", "a quarter each"};
    constexpr std::size_t count = sizeof names / sizeof *names;
    decltype(&add_tiles<variant::one_for_all>) kernels[count] = {
        add_tiles<variant::each_for_itself>, add_tiles<variant::itself_with_barrier>,
        add_tiles<variant::one_for_all>, add_tiles<variant::a_quarter_each>};
    for (auto* kernel : kernels)
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, stages * tile_bytes));
    const auto launch = [&](std::size_t i) {
        d_sums.fill_bytes(0);
        kernels[i]<<<blocks, threads, stages * tile_bytes>>>(
            tiles, rounds, stages, reads, rows, d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) {
        launch(i);
        const bool same = d_sums.to_host() == expected;
        lockstep::report((std::string(names[i]) + ", right").c_str(), same);
        right = right && same;
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    const auto times = lockstep::time_in_turns(count, launch);
    for (std::size_t i = 0; i < count; ++i)
        lockstep::report((std::string(names[i]) + ", time").c_str(),
                         lockstep::measured{times[i].median_ms * 1e3}, "us");
    lockstep::report("gain over each for itself",
                     lockstep::measured{times[0].median_ms / times[3].median_ms});
    lockstep::report("gain over the barrier alone",
                     lockstep::measured{times[1].median_ms / times[3].median_ms});
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
