// Tensor cores, rung 4: what does Hopper do differently? A warpgroup, four warps,
// issues wgmma: one instruction multiplies 64 x 16 by 16 x 256 numbers and reads both
// operands from shared memory. One thread issues TMA copies of whole tiles.

#include <cstddef>
#include <cstdint>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/check.hpp>
#include <lockstep/ladders/bf16.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;
using bf16 = __nv_bfloat16;

// [constants]
constexpr int block_m = 128;
constexpr int block_n = 256;
constexpr int block_k = 64;  // 128 bytes: the span of the permutation
constexpr int stages = 4;
constexpr int threads = 256;  // two warpgroups, 64 rows each
// [/constants]

// [instructions]
/// Describes rows of 64 numbers in shared memory, as the hardware's copies leave them:
/// rows of 128 bytes, permuted within groups of eight rows.
/// @param rows  the first row, aligned to 1024 bytes
__device__ std::uint64_t describe_rows(const void* rows) {
    const std::uint64_t address =
        static_cast<std::uint64_t>(__cvta_generic_to_shared(rows)) & 0x3FFFF;
    constexpr std::uint64_t swizzle_128 = std::uint64_t{1} << 62;
    // eight rows further
    constexpr std::uint64_t next_group = std::uint64_t{1024 / 16} << 32;
    return swizzle_128 | next_group | std::uint64_t{1} << 16 | address / 16;
}

// [/instructions]
// [multiply]
/// d = a * b^T, or d += a * b^T: 64 x 256 sums of one warpgroup, 16 columns of a and b,
/// both in shared memory.
/// @param d    128 sums of this thread
/// @param a    descriptor of 64 rows
/// @param b    descriptor of 256 rows
/// @param add  whether to add to d
__device__ void wgmma_multiply_add(float (&d)[128], std::uint64_t a, std::uint64_t b,
                                   bool add) {
    // clang-format off
    asm volatile(
        "{.reg .pred add; setp.ne.b32 add, %130, 0; "
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        // [/multiply]
        // [operands]
        "%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 0;}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]),
          "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
          "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
          "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]),
          "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]),
          "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
          "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
          "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]),
          "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
          "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
          "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]),
          "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]),
          "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
          "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
          "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]),
          "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        // [/operands]
        // [multiply-inputs]
        : "l"(a), "l"(b), "r"(static_cast<int>(add)));
    // clang-format on
}

// [/multiply-inputs]
// [groups]
/// Sums may be used by multiplications from here on.
__device__ void wgmma_fence() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// Ends a group of multiplications.
__device__ void wgmma_commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until at most `left` groups are in flight.
template <int left>
__device__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}
// [/groups]

// [tiles]
/// The tiles of one step; what lies outside of the matrices is zero.
struct tiles {
    bf16 a[block_m * block_k];
    bf16 b[block_n * block_k];
};
// [/tiles]

// [store]
/// Stores the sums of this thread, rounded.
/// @param m       rows of c
/// @param n       columns of c, a multiple of 8
/// @param row     of the warpgroup's first sum
/// @param column  of the warpgroup's first sum
/// @param sum     sums of this thread
/// @param c       m x n numbers, row by row, in device memory
__device__ void store_sums(int m, int n, int row, int column, const float (&sum)[128],
                           bf16* c) {
    row += threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
    column += threadIdx.x % 4 * 2;
    // pairs: in this row or eight further down, eight columns to the next four
#pragma unroll
    for (int i = 0; i < 128; i += 2) {
        const int y = row + i / 2 % 2 * 8;
        const int x = column + i / 4 * 8;
        if (y < m && x < n)
            *reinterpret_cast<__nv_bfloat162*>(c + std::size_t(y) * n + x) =
                __floats2bfloat162_rn(sum[i], sum[i + 1]);
    }
}
// [/store]

// [kernel]
/// c = a * b^T; each warpgroup 64 x 256 of it.
/// @param m  rows of a and c
/// @param n  rows of b, columns of c, a multiple of 8
/// @param k  columns of a and b, a multiple of 8
/// @param a  describes m x k numbers in device memory, in boxes of block_m x block_k
/// @param b  describes n x k numbers in device memory, in boxes of block_n x block_k
/// @param c  m x n numbers, row by row, in device memory, aligned to 4 bytes
__global__ void __launch_bounds__(threads, 1)
    bf16_wgmma(int m, int n, int k, const __grid_constant__ CUtensorMap a,
               const __grid_constant__ CUtensorMap b, bf16* c) {
    extern __shared__ __align__(1024) char shared[];
    auto* ring = reinterpret_cast<tiles*>(shared);
    __shared__ std::uint64_t full[stages];
    const int warpgroup = threadIdx.x / 128;
    const int row = blockIdx.y * block_m;
    const int column = blockIdx.x * block_n;
    const int steps = (k + block_k - 1) / block_k;
    // [/kernel]
    // [producer]
    const auto fetch = [&](int step) {
        std::uint64_t* barrier = full + step % stages;
        tiles& to = ring[step % stages];
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, barrier, sizeof(tiles));
        const std::int32_t from_a[] = {step * block_k, row};
        const std::int32_t from_b[] = {step * block_k, column};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.a, &a,
                                  from_a, barrier);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.b, &b,
                                  from_b, barrier);
    };
    // [/producer]
    // [barriers]
    if (threadIdx.x == 0) {
        for (auto& barrier : full) ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        for (int step = 0; step < stages - 1 && step < steps; ++step) fetch(step);
    }
    __syncthreads();

    // [/barriers]
    // [consumer]
    float sum[128];
    for (int step = 0; step < steps; ++step) {
        while (
            !ptx::mbarrier_try_wait_parity(full + step % stages, step / stages % 2)) {
        }
        const tiles& now = ring[step % stages];
        const std::uint64_t of_a = describe_rows(now.a + warpgroup * 64 * block_k);
        const std::uint64_t of_b = describe_rows(now.b);
        wgmma_fence();
        // 16 columns are 32 bytes, two units of a descriptor
#pragma unroll
        for (int i = 0; i < block_k / 16; ++i)
            wgmma_multiply_add(sum, of_a + 2 * i, of_b + 2 * i, step > 0 || i > 0);
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads();  // both warpgroups have finished with these tiles
        if (threadIdx.x == 0 && step + stages - 1 < steps) fetch(step + stages - 1);
    }
    store_sums(m, n, row + warpgroup * 64, column, sum, c);
}
// [/consumer]

// [describe]
/// Describes a matrix for the hardware's copies.
/// @param rows      rows of the matrix
/// @param columns   columns of the matrix, a multiple of 8
/// @param data      rows x columns numbers, row by row, in device memory, aligned to 16
///                  bytes
/// @param box_rows  rows that one copy moves, with 64 columns
CUtensorMap describe_matrix(int rows, int columns, const bf16* data, int box_rows) {
    static const auto encode = lockstep::tensor_map_encoder();  // asked for once
    CUtensorMap map{};
    const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns),
                                  static_cast<cuuint64_t>(rows)};
    const cuuint64_t row_bytes[] = {static_cast<cuuint64_t>(columns) * sizeof(bf16)};
    const cuuint32_t box[] = {block_k, static_cast<cuuint32_t>(box_rows)};
    const cuuint32_t steps[] = {1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<bf16*>(data),
               extents, row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}
// [/describe]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
    constexpr int bytes = stages * sizeof(tiles);
    lockstep::check(cudaFuncSetAttribute(
        bf16_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 grid((n + block_n - 1) / block_n, (m + block_m - 1) / block_m);
    bf16_wgmma<<<grid, threads, bytes>>>(m, n, k, describe_matrix(m, k, a, block_m),
                                         describe_matrix(n, k, b, block_n), c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_bf16(argc, argv, "wgmma and TMA", 90, 8, 8, multiply);
}
