// Transpose, rung 2: is it better to scatter the reads instead? Now the writes are
// coalesced. A scattered read fetches a sector that L1 can keep for the next reads; a
// scattered write must be merged in L2.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/transpose.hpp>

constexpr int tile = 32;
constexpr int tile_rows = 8;

/// Transposes a matrix; a warp writes 32 adjacent words of a row.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param in       rows x columns floats, row by row, in device memory
/// @param out      columns x rows floats, row by row, in device memory
// [kernel]
__global__ void transpose_naive_write(int rows, int columns, const float* in,
                                      float* out) {
    const int row = blockIdx.x * tile + threadIdx.x;
    for (int step = 0; step < tile; step += tile_rows) {
        const int column = blockIdx.y * tile + threadIdx.y + step;
        if (row < rows && column < columns)
            out[std::size_t(column) * rows + row] =
                in[std::size_t(row) * columns + column];
    }
}
// [/kernel]

// [launch]
/// Enqueues the transpose of a matrix.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((rows + tile - 1) / tile, (columns + tile - 1) / tile);
    transpose_naive_write<<<grid, dim3(tile, tile_rows)>>>(rows, columns, in, out);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "naive write", 1, transpose);
}
