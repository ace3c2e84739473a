// Transpose, rung 5: can bank conflicts be avoided without padding? The word of row y
// and column x is kept at column x ^ y (a swizzle): 32 different banks along a row, and
// 32 different ones along a column.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/transpose.hpp>

constexpr int tile = 32;
constexpr int tile_rows = 8;

/// Transposes a matrix through a tile in shared memory.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param in       rows x columns floats, row by row, in device memory
/// @param out      columns x rows floats, row by row, in device memory
// [kernel]
__global__ void transpose_swizzled(int rows, int columns, const float* in, float* out) {
    __shared__ float words[tile][tile];
    for (int y = threadIdx.y; y < tile; y += tile_rows) {
        const int row = blockIdx.y * tile + y;
        const int column = blockIdx.x * tile + threadIdx.x;
        if (row < rows && column < columns)
            words[y][threadIdx.x ^ y] = in[std::size_t(row) * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < tile; y += tile_rows) {
        const int row = blockIdx.x * tile + y;  // of the result
        const int column = blockIdx.y * tile + threadIdx.x;
        if (row < columns && column < rows)
            out[std::size_t(row) * rows + column] = words[threadIdx.x][y ^ threadIdx.x];
    }
}
// [/kernel]

// [launch]
/// Enqueues the transpose of a matrix.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    transpose_swizzled<<<grid, dim3(tile, tile_rows)>>>(rows, columns, in, out);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "swizzled tile", 1, transpose);
}
