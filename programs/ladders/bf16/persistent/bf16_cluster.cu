// Tensor cores, rung 9: must every block fetch a tile that its neighbor fetches, too?
// Two blocks form a cluster. Each fetches half of a tile of b, and the TMA delivers it
// to both (multicast), so a block requests a third less from L2.

#include <cstdint>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/check.hpp>
#include <lockstep/ladders/bf16.hpp>
#include <lockstep/ladders/wgmma.hpp>

namespace ptx = cuda::ptx;
using bf16 = __nv_bfloat16;
// Rung 4 shows these in full.
using lockstep::describe_matrix, lockstep::describe_rows, lockstep::wgmma_multiply_add;
using lockstep::wgmma_commit, lockstep::wgmma_fence, lockstep::wgmma_wait;

// [constants]
constexpr int block_m = 128;
constexpr int block_n = 256;
constexpr int block_k = 64;  // 128 bytes: the span of the permutation
constexpr int stages = 4;
constexpr int consumers = 2;  // warpgroups, 64 rows each
constexpr int threads = (consumers + 1) * 128;
constexpr int cluster = 2;  // blocks below each other, which share tiles of b
constexpr int group = 8;  // rows of clusters that are worked on together
constexpr int part = 128;  // columns of c that are stored at a time
// [/constants]

// [cluster]
/// Consumer release: signals to a block of the cluster that this warpgroup has finished
/// with a stage.
/// Nothing was written, so no fence is needed; with -DFENCED there is one, to see what
/// it costs.
/// @param barrier  this block's barrier of the stage
/// @param rank     of the block whose barrier of the stage is meant
__device__ void release(std::uint64_t* barrier, unsigned rank) {
    const auto here = static_cast<std::uint32_t>(__cvta_generic_to_shared(barrier));
#ifdef FENCED
    asm volatile(
        "{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];}" ::"r"(here),
        "r"(rank)
        : "memory");
#else
    asm volatile(
        "{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(here),
        "r"(rank)
        : "memory");
#endif
}
// [/cluster]

// [tiles]
/// The tiles of one step; what lies outside of the matrices is zero.
struct tiles {
    bf16 a[block_m * block_k];
    bf16 b[block_n * block_k];
};

/// Where c waits to be copied: for each consumer boxes of 64 x 64, permuted like the
/// tiles.
struct store_buffers {
    bf16 c[consumers][part / 64][64 * 64];
};
// [/tiles]

// [store]
/// Sends the sums of this warpgroup to c, part by part through shared memory. Returns
/// when the last part is on its way.
/// @param row     of the warpgroup's first sum
/// @param column  of the warpgroup's first sum
/// @param sum     sums of this thread
/// @param boxes   this warpgroup's place in shared memory
/// @param c       describes the result, in boxes of 64 x 64
__device__ void store(int row, int column, const float (&sum)[128],
                      bf16 (&boxes)[part / 64][64 * 64], const CUtensorMap& c) {
    const int lane = threadIdx.x % 32;
    const int y = threadIdx.x % 128 / 32 * 16 + lane % 16;
    const bool first = threadIdx.x % 128 == 0;
    const auto sync_warpgroup = [] {
        asm volatile("bar.sync %0, 128;" ::"r"(threadIdx.x / 128 + 1) : "memory");
    };
#pragma unroll
    for (int begin = 0; begin < block_n; begin += part) {
        // the previous part has been read by the TMA
        if (first) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        sync_warpgroup();
        // [/store]
        // [store-round]
#pragma unroll
        for (int x = 0; x < part; x += 16) {
            std::uint32_t pair[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int at = (begin + x) / 2 + 2 * i;
                const __nv_bfloat162 rounded =
                    __floats2bfloat162_rn(sum[at], sum[at + 1]);
                pair[i] = reinterpret_cast<const std::uint32_t&>(rounded);
            }
            const int chunk = x % 64 / 8 + lane / 16;  // of 16 bytes
            bf16* to = boxes[x / 64] + y * 64 + (chunk ^ (y % 8)) * 8;
            asm volatile(
                "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::
                    "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
                "r"(pair[0]), "r"(pair[1]), "r"(pair[2]), "r"(pair[3])
                : "memory");
        }
        // [/store-round]
        // [store-copy]
        ptx::fence_proxy_async(ptx::space_shared);
        sync_warpgroup();
        if (first) {
            for (int box = 0; box < part / 64; ++box) {
                const std::int32_t corner[] = {column + begin + box * 64, row};
                ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &c,
                                          corner, boxes[box]);
            }
            ptx::cp_async_bulk_commit_group();
        }
    }
}
// [/store-copy]

// [kernel]
/// c = a * b^T; each consumer 64 x 256 of a tile, each block one tile after another.
/// @param m  rows of a and c
/// @param n  rows of b, columns of c, a multiple of 8
/// @param k  columns of a and b, a multiple of 8
/// @param a  describes m x k numbers in device memory, in boxes of block_m x block_k
/// @param b  describes n x k numbers in device memory, in boxes of block_n / cluster x
///           block_k
/// @param c  describes m x n numbers in device memory, in boxes of 64 x 64
__global__ void __cluster_dims__(cluster) __launch_bounds__(threads, 1)
    bf16_cluster(int m, int n, int k, const __grid_constant__ CUtensorMap a,
                 const __grid_constant__ CUtensorMap b,
                 const __grid_constant__ CUtensorMap c) {
    extern __shared__ __align__(1024) char shared[];
    auto* ring = reinterpret_cast<tiles*>(shared);
    auto* out = reinterpret_cast<store_buffers*>(shared + stages * sizeof(tiles));
    __shared__ std::uint64_t full[stages];
    __shared__ std::uint64_t empty[stages];
    const int warpgroup = threadIdx.x / 128;
    const unsigned rank = blockIdx.x % cluster;
    // [/kernel]
    // [barriers]
    if (threadIdx.x == 0) {
        for (auto& barrier : full) ptx::mbarrier_init(&barrier, 1);
        for (auto& barrier : empty) ptx::mbarrier_init(&barrier, consumers * cluster);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // the other block's barriers exist

    // [/barriers]
    // [tile-order]
    const int tiles_m = (m + cluster * block_m - 1) / (cluster * block_m);
    const int tiles_n = (n + block_n - 1) / block_n;
    const int steps = (k + block_k - 1) / block_k;
    const auto corner_of = [&](int tile, int& row, int& column) {
        const int top = tile / (group * tiles_n) * group;
        const int rows = min(group, tiles_m - top);  // the last group may have fewer
        const int inside = tile % (group * tiles_n);
        row = ((top + inside % rows) * cluster + static_cast<int>(rank)) * block_m;
        column = inside / rows * block_n;
    };
    // [/tile-order]
    // [stage]
    int stage = 0;
    int phase = 0;
    const auto advance = [&] {
        if (++stage == stages) {
            stage = 0;
            phase ^= 1;
        }
    };

    // [/stage]
    // [producer]
    if (warpgroup == consumers) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % 128 == 0) {
            for (unsigned tile = blockIdx.x / cluster; tile < tiles_m * tiles_n;
                 tile += gridDim.x / cluster) {
                int row = 0;
                int column = 0;
                corner_of(tile, row, column);
                for (int step = 0; step < steps; ++step) {
                    // every stage is free at first
                    while (!ptx::mbarrier_try_wait_parity(empty + stage, phase ^ 1)) {
                    }
                    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                   ptx::space_shared, full + stage,
                                                   sizeof(tiles));
                    const std::int32_t from_a[] = {step * block_k, row};
                    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                              ring[stage].a, &a, from_a, full + stage);
                    // rows of b that this block fetches for both
                    constexpr int share = block_n / cluster;
                    const int begin = static_cast<int>(rank) * share;
                    const std::int32_t from_b[] = {step * block_k, column + begin};
                    ptx::cp_async_bulk_tensor(
                        ptx::space_cluster, ptx::space_global,
                        ring[stage].b + begin * block_k, &b, from_b, full + stage,
                        static_cast<std::uint16_t>((1 << cluster) - 1));
                    advance();
                }
            }
        }
        // [/producer]
        // [consumer]
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (unsigned tile = blockIdx.x / cluster; tile < tiles_m * tiles_n;
             tile += gridDim.x / cluster) {
            int row = 0;
            int column = 0;
            corner_of(tile, row, column);
            float sum[128];
            int before = 0;
            for (int step = 0; step < steps; ++step) {
                while (!ptx::mbarrier_try_wait_parity(full + stage, phase)) {
                }
                const std::uint64_t of_a =
                    describe_rows(ring[stage].a + warpgroup * 64 * block_k);
                const std::uint64_t of_b = describe_rows(ring[stage].b);
                wgmma_fence();
                // 16 columns are 32 bytes, two units of a descriptor
#pragma unroll
                for (int i = 0; i < block_k / 16; ++i)
                    wgmma_multiply_add(sum, of_a + 2 * i, of_b + 2 * i,
                                       step > 0 || i > 0);
                wgmma_commit();
                wgmma_wait<1>();  // the previous step is done, this one is in flight
                if (step > 0 && threadIdx.x % 128 < cluster)
                    release(empty + before, threadIdx.x % 128);
                before = stage;
                advance();
            }
            wgmma_wait<0>();
            // the next tile needs this stage
            if (threadIdx.x % 128 < cluster) release(empty + before, threadIdx.x % 128);
            store(row + warpgroup * 64, column, sum, out->c[warpgroup], c);
        }
        // the copies read shared memory, which ends with the block
        if (threadIdx.x % 128 == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // the other block may still signal here
}
// [/consumer]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
    constexpr int bytes = stages * sizeof(tiles) + sizeof(store_buffers);
    lockstep::check(cudaFuncSetAttribute(
        bf16_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    bf16_cluster<<<sms / cluster * cluster, threads, bytes>>>(
        m, n, k, describe_matrix(m, k, a, block_m),
        describe_matrix(n, k, b, block_n / cluster), describe_matrix(m, n, c, 64));
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_bf16(argc, argv, "clusters", 90, 8, 8, multiply);
}
