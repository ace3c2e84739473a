// Transpose, rung 7: what if hardware moves the tiles? The tensor memory accelerator
// (TMA) of Hopper fetches a box of a matrix by one instruction, swizzles it on the way
// into shared memory, and fills what lies outside the matrix. The threads only
// transpose the tile.

#include <cstdint>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/check.hpp>
#include <lockstep/ladders/transpose.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

// floats in a row of a box: 128 bytes, the span of the swizzle
constexpr int box = 32;
constexpr int tile = 64;  // of a block: 2 x 2 boxes
constexpr int box_words = box * box / 4;  // of 16 bytes

// [place]
/// Where the hardware keeps chunk `chunk` (of 16 bytes) of row `row` of a box.
__device__ int place(int row, int chunk) {
    return row * (box / 4) + (chunk ^ (row % 8));
}
// [/place]

// [kernel]
/// Transposes a matrix; each block 2 x 2 boxes, each thread 4 x 4 floats of one.
/// @param from  describes the matrix in device memory, in boxes of 32 x 32 with a
///              swizzle of 128 bytes
/// @param to    describes the result likewise
__global__ void transpose_tma(const __grid_constant__ CUtensorMap from,
                              const __grid_constant__ CUtensorMap to) {
    __shared__ alignas(1024) float4 in[4][box_words];
    __shared__ alignas(1024) float4 out[4][box_words];
    __shared__ std::uint64_t arrived;
    const int row = blockIdx.x * tile;
    const int column = blockIdx.y * tile;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof in);
        for (int i = 0; i < 4; ++i) {
            const std::int32_t corner[] = {column + i % 2 * box, row + i / 2 * box};
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, in[i],
                                      &from, corner, &arrived);
        }
    }
    __syncthreads();  // the barrier exists
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }

    // [/kernel]
    // [exchange]
    const int mine = threadIdx.x / 64;
    const int x = threadIdx.x % 8;
    const int y = threadIdx.x / 8 % 8;
    float4 a[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = in[mine][place(4 * y + i, x)];
    float4 t[4] = {{a[0].x, a[1].x, a[2].x, a[3].x},
                   {a[0].y, a[1].y, a[2].y, a[3].y},
                   {a[0].z, a[1].z, a[2].z, a[3].z},
                   {a[0].w, a[1].w, a[2].w, a[3].w}};
    // Eight lanes store at a time. If all began with their first row, four of them
    // would meet in one bank.
    const int shift = x / 2;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int r = (i + shift) % 4;
        const float4 low = r & 1 ? t[1] : t[0];
        const float4 high = r & 1 ? t[3] : t[2];
        out[mine][place(4 * x + r, y)] = r & 2 ? high : low;
    }
    // [/exchange]
    // [write-back]
    // what threads wrote, the hardware may read
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; ++i) {
            const std::int32_t corner[] = {row + i / 2 * box, column + i % 2 * box};
            ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, corner,
                                      out[i]);
        }
        ptx::cp_async_bulk_commit_group();
        // shared memory must outlive the reading
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
// [/write-back]

// [describe]
/// Describes a matrix for the hardware: its place, its extents, and the boxes that are
/// fetched.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix, a multiple of 4
/// @param data     rows x columns floats in device memory, aligned to 16 bytes
CUtensorMap describe(int rows, int columns, const float* data) {
    static const auto encode = lockstep::tensor_map_encoder();  // asked for once
    CUtensorMap map{};
    const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns),
                                  static_cast<cuuint64_t>(rows)};
    const cuuint64_t row_bytes[] = {static_cast<cuuint64_t>(columns) * sizeof(float)};
    const cuuint32_t boxes[] = {box, box};
    const cuuint32_t steps[] = {1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(data),
               extents, row_bytes, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}
// [/describe]

// [launch]
/// Enqueues the transpose of a matrix.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((rows + tile - 1) / tile, (columns + tile - 1) / tile);
    transpose_tma<<<grid, 256>>>(describe(rows, columns, in),
                                 describe(columns, rows, out));
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "TMA tiles", 4, transpose);
}
