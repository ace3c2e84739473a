// Transpose, rung 4: what does one column of padding do? The rows of the tile are 33
// words long, so the words of a column lie in 32 different banks.

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
__global__ void transpose_padded(int rows, int columns, const float* in, float* out) {
    __shared__ float words[tile][tile + 1];
    for (int y = threadIdx.y; y < tile; y += tile_rows) {
        const int row = blockIdx.y * tile + y;
        const int column = blockIdx.x * tile + threadIdx.x;
        if (row < rows && column < columns)
            words[y][threadIdx.x] = in[std::size_t(row) * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < tile; y += tile_rows) {
        const int row = blockIdx.x * tile + y;  // of the result
        const int column = blockIdx.y * tile + threadIdx.x;
        if (row < columns && column < rows)
            out[std::size_t(row) * rows + column] = words[threadIdx.x][y];
    }
}
// [/kernel]

// [launch]
/// Enqueues the transpose of a matrix.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    transpose_padded<<<grid, dim3(tile, tile_rows)>>>(rows, columns, in, out);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "padded tile", 1, transpose);
}
