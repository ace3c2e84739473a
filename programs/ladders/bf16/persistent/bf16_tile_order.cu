// Tensor cores, rung 7: in which order should persistent blocks take their tiles? Row
// by row, the tiles that are computed at one time cover few rows of a, and nearly all
// of b. In this order they cover a block of c that is about square, so they read fewer
// rows of both together, and L2 can serve more of the reads.

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
using lockstep::wgmma_commit, lockstep::wgmma_fence, lockstep::wgmma_wait,
    lockstep::store_sums;

constexpr int block_m = 128;
constexpr int block_n = 256;
constexpr int block_k = 64;  // 128 bytes: the span of the permutation
constexpr int stages = 4;
constexpr int consumers = 2;  // warpgroups, 64 rows each
constexpr int threads = (consumers + 1) * 128;
constexpr int group = 16;  // rows of tiles that are worked on together

// [tiles]
/// The tiles of one step; what lies outside of the matrices is zero.
struct tiles {
    bf16 a[block_m * block_k];
    bf16 b[block_n * block_k];
};
// [/tiles]

// [kernel]
/// c = a * b^T; each consumer 64 x 256 of a tile, each block one tile after another.
/// @param m  rows of a and c
/// @param n  rows of b, columns of c, a multiple of 8
/// @param k  columns of a and b, a multiple of 8
/// @param a  describes m x k numbers in device memory, in boxes of block_m x block_k
/// @param b  describes n x k numbers in device memory, in boxes of block_n x block_k
/// @param c  m x n numbers, row by row, in device memory, aligned to 4 bytes
__global__ void __launch_bounds__(threads, 1)
    bf16_tile_order(int m, int n, int k, const __grid_constant__ CUtensorMap a,
                    const __grid_constant__ CUtensorMap b, bf16* c) {
    extern __shared__ __align__(1024) char shared[];
    auto* ring = reinterpret_cast<tiles*>(shared);
    __shared__ std::uint64_t full[stages];
    __shared__ std::uint64_t empty[stages];
    const int warpgroup = threadIdx.x / 128;
    // [/kernel]
    // [barriers]
    if (threadIdx.x == 0) {
        for (auto& barrier : full) ptx::mbarrier_init(&barrier, 1);
        for (auto& barrier : empty) ptx::mbarrier_init(&barrier, consumers);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();

    // [/barriers]
    // [tile-order]
    const int tiles_m = (m + block_m - 1) / block_m;
    const int tiles_n = (n + block_n - 1) / block_n;
    const int steps = (k + block_k - 1) / block_k;
    const auto corner_of = [&](int tile, int& row, int& column) {
        const int top = tile / (group * tiles_n) * group;
        const int rows = min(group, tiles_m - top);  // the last group may have fewer
        const int inside = tile % (group * tiles_n);
        row = (top + inside % rows) * block_m;
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
            for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n;
                 tile += gridDim.x) {
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
                    const std::int32_t from_b[] = {step * block_k, column};
                    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                              ring[stage].b, &b, from_b, full + stage);
                    advance();
                }
            }
        }
        // [/producer]
        // [consumer]
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        for (unsigned tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
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
                if (step > 0 && threadIdx.x % 128 == 0)
                    ptx::mbarrier_arrive(empty + before);
                before = stage;
                advance();
            }
            wgmma_wait<0>();
            // the next tile needs this stage
            if (threadIdx.x % 128 == 0) ptx::mbarrier_arrive(empty + before);
            store_sums(m, n, row + warpgroup * 64, column, sum, c);
        }
    }
}
// [/consumer]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
    constexpr int bytes = stages * sizeof(tiles);
    lockstep::check(cudaFuncSetAttribute(
        bf16_tile_order, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    bf16_tile_order<<<sms, threads, bytes>>>(m, n, k, describe_matrix(m, k, a, block_m),
                                             describe_matrix(n, k, b, block_n), c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_bf16(argc, argv, "order of tiles", 90, 8, 8, multiply);
}
