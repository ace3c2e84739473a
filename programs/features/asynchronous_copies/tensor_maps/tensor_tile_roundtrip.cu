// How does one thread copy a tile of a matrix into shared memory and back? The host
// describes the matrix once, in a tensor map. A thread then names only the corner of a
// tile; the hardware computes every address, and leaves out what lies beyond the
// matrix. So 32 x 16 tiles cover a matrix whose sizes are no multiples of that.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int tile_columns = 32;
constexpr int tile_rows = 16;

// [kernel]
/// Doubles a matrix; each block one tile.
/// @param matrix  describes the matrix, in boxes of tile_columns x tile_rows ints
__global__ void double_tiles(const __grid_constant__ CUtensorMap matrix) {
    __shared__ alignas(128) int tile[tile_rows][tile_columns];
    __shared__ std::uint64_t arrived;
    const std::int32_t corner[] = {static_cast<int>(blockIdx.x) * tile_columns,
                                   static_cast<int>(blockIdx.y) * tile_rows};
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &matrix,
                                  corner, &arrived);
    }
    __syncthreads();  // the barrier is initialized
    lockstep::await_phase(&arrived, 0);
    for (int row = 0; row < tile_rows; ++row) tile[row][threadIdx.x] *= 2;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();  // every thread has written and fenced
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &matrix, corner,
                                  tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr int columns = 500, rows = 300;
    std::vector<int> x(std::size_t(rows) * columns);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
    const lockstep::device_buffer<int> d_x(x);

    // [entry]
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lockstep::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                                     12000, cudaEnableDefault, &found));
    lockstep::check(found == cudaDriverEntryPointSuccess ? cudaSuccess
                                                         : cudaErrorInsufficientDriver);
    const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
    // [/entry]

    // [encode]
    CUtensorMap map{};
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint64_t strides[] = {columns * sizeof(int)};
    const cuuint32_t box[] = {tile_columns, tile_rows};
    const cuuint32_t element_strides[] = {1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, const_cast<int*>(d_x.data()),
               sizes, strides, box, element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    // [/encode]

    // [launch]
    const dim3 grid((columns + tile_columns - 1) / tile_columns,
                    (rows + tile_rows - 1) / tile_rows);
    double_tiles<<<grid, tile_columns>>>(map);
    lockstep::check(cudaGetLastError());
    // [/launch]

    int wrong = 0;
    const std::vector<int> y = d_x.to_host();
    for (std::size_t i = 0; i < y.size(); ++i) wrong += y[i] != 2 * x[i];
    lockstep::report("size of a tensor map", sizeof map, "bytes");
    lockstep::report("matrix, columns", columns);
    lockstep::report("matrix, rows", rows);
    lockstep::report("tiles", grid.x * grid.y);
    lockstep::report("tiles that fit entirely",
                     columns / tile_columns * (rows / tile_rows));
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
