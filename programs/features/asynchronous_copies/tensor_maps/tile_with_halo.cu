// Each element becomes the sum of itself and its four neighbors, and what lies outside
// the matrix counts as zero. A block computes 32 x 8 elements from a tile with a halo
// of one element on each side. Which box must the copy fetch? Its size is fixed: 10
// rows, and 40 columns, since a box can begin only at a multiple of 16 bytes (4 ints).
// The threads read the tile after your code, and find the halo's left column in column
// 3 of the box.

#include <cstdint>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int tile_columns = 32, tile_rows = 8;
constexpr int chunk = 16 / sizeof(int);  // columns
constexpr int box_columns = chunk + tile_columns + chunk, box_rows = tile_rows + 2;
using box = int[box_rows][box_columns];

/// Issues the copy of one box; one thread calls it.
/// @param matrix   describes the matrix, in boxes of box_columns x box_rows ints
/// @param x, y     column and row of the first element that this block computes
/// @param tile     where the box goes, in shared memory
/// @param arrived  an initialized barrier, which expects one arrival
__device__ void fetch(const CUtensorMap& matrix, int x, int y, box& tile,
                      std::uint64_t* arrived) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   arrived, sizeof tile);
    // [task]
    const std::int32_t corner[] = {x - chunk, y - 1};
    //= given
    //| // The box begins where the block's elements begin.
    //| const std::int32_t corner[] = {x, y};
    //= mutant clamped
    //| const std::int32_t corner[] = {max(x - chunk, 0), max(y - 1, 0)};
    //= mutant swapped
    //| const std::int32_t corner[] = {y - chunk, x - 1};
    //= mutant columns_only
    //| const std::int32_t corner[] = {x - chunk, y};
    //= mutant one_to_the_left
    //| const std::int32_t corner[] = {x - 1, y - 1};
    // [/task]
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, &matrix,
                              corner, arrived);
}

/// Adds up the neighbors; each block 32 x 8 elements.
/// @param columns, rows  of the matrix
/// @param matrix         describes the matrix
/// @param sums           columns x rows ints in device memory, written
__global__ void add_neighbors(int columns, int rows,
                              const __grid_constant__ CUtensorMap matrix, int* sums) {
    __shared__ alignas(128) box tile;
    __shared__ std::uint64_t arrived;
    const int x = blockIdx.x * tile_columns, y = blockIdx.y * tile_rows;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        fetch(matrix, x, y, tile, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    const int c = threadIdx.x, r = threadIdx.y;
    if (x + c < columns && y + r < rows)
        sums[(y + r) * columns + x + c] =
            tile[r + 1][c + chunk] + tile[r][c + chunk] + tile[r + 2][c + chunk] +
            tile[r + 1][c + chunk - 1] + tile[r + 1][c + chunk + 1];
}

int main() {
    lockstep::require_device(90);

    constexpr int columns = 100, rows = 50;
    std::vector<int> x(columns * rows), expected(columns * rows);
    for (int i = 0; i < columns * rows; ++i) x[i] = i * 37 % 1009;
    const auto at = [&](int column, int row) {
        const bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
        return inside ? x[row * columns + column] : 0;
    };
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            expected[row * columns + column] =
                at(column, row) + at(column - 1, row) + at(column + 1, row) +
                at(column, row - 1) + at(column, row + 1);

    lockstep::device_buffer<int> d_x(x), d_sums(columns * rows);
    d_sums.fill_bytes(0xFF);
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint32_t boxes[] = {box_columns, box_rows};
    const dim3 grid((columns + tile_columns - 1) / tile_columns,
                    (rows + tile_rows - 1) / tile_rows);
    add_neighbors<<<grid, dim3(tile_columns, tile_rows)>>>(
        columns, rows, lockstep::describe_tiles(d_x.data(), sizes, boxes),
        d_sums.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("sums", d_sums.to_host(), expected,
                  lockstep::in_groups(columns, "row", "column"));
    return verdict.finish();
}
