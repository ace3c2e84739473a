// Transpose, rung 1: what if a warp reads along a row? Its reads are coalesced, but its
// writes go along a column, each lane to a row of its own.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/transpose.hpp>

constexpr int tile = 32;
constexpr int tile_rows = 8;

// [kernel]
/// Transposes a matrix; a warp reads 32 adjacent words of a row.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param in       rows x columns floats, row by row, in device memory
/// @param out      columns x rows floats, row by row, in device memory
__global__ void transpose_naive_read(int rows, int columns, const float* in,
                                     float* out) {
    const int column = blockIdx.x * tile + threadIdx.x;
    for (int step = 0; step < tile; step += tile_rows) {
        const int row = blockIdx.y * tile + threadIdx.y + step;
        if (row < rows && column < columns)
            out[std::size_t(column) * rows + row] =
                in[std::size_t(row) * columns + column];
    }
}
// [/kernel]

// [launch]
/// Enqueues the transpose of a matrix.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    transpose_naive_read<<<grid, dim3(tile, tile_rows)>>>(rows, columns, in, out);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "naive read", 1, transpose);
}
