// Transpose, rung 6: what do 16-byte accesses bring? Each thread reads four rows of
// four floats and transposes the 4 x 4 in its registers; the tile of 64 x 64 in shared
// memory does the rest. All accesses, to shared memory too, are of 16 bytes.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/transpose.hpp>

constexpr int tile = 64;
constexpr int chunks = tile / 4;  // of 16 bytes, in a row of the tile

// [place]
/// Where chunk `chunk` of row `row` of the tile is kept: another order in each group
/// of four rows, since lanes that store at once use rows that are four apart.
__device__ int place(int row, int chunk) {
    return row * chunks + (chunk ^ (row / 4 % 8));
}
// [/place]

// [kernel]
/// Transposes a matrix; each block a tile of 64 x 64, each thread 4 x 4 of it.
/// @param rows     rows of the matrix, a multiple of 4
/// @param columns  columns of the matrix, a multiple of 4
/// @param in       rows x columns floats, row by row, in device memory, aligned to 16
///                 bytes
/// @param out      columns x rows floats, row by row, in device memory, aligned to 16
///                 bytes
__global__ void transpose_vector(int rows, int columns, const float* in, float* out) {
    __shared__ float4 words[tile * chunks];  // the transposed tile
    const int x = threadIdx.x % chunks;
    const int y = threadIdx.x / chunks;
    const int row = blockIdx.x * tile + 4 * y;
    const int column = blockIdx.y * tile + 4 * x;
    float4 a[4] = {};
    if (row < rows && column < columns) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            a[i] = *reinterpret_cast<const float4*>(
                in + std::size_t(row + i) * columns + column);
    }
    words[place(4 * x + 0, y)] = {a[0].x, a[1].x, a[2].x, a[3].x};
    words[place(4 * x + 1, y)] = {a[0].y, a[1].y, a[2].y, a[3].y};
    words[place(4 * x + 2, y)] = {a[0].z, a[1].z, a[2].z, a[3].z};
    words[place(4 * x + 3, y)] = {a[0].w, a[1].w, a[2].w, a[3].w};
    __syncthreads();
    const int out_column = blockIdx.x * tile + 4 * x;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int out_row = blockIdx.y * tile + y + i * chunks;
        if (out_row < columns && out_column < rows)
            *reinterpret_cast<float4*>(out + std::size_t(out_row) * rows + out_column) =
                words[place(y + i * chunks, x)];
    }
}
// [/kernel]

// [launch]
/// Enqueues the transpose of a matrix. Blocks that follow one another write along a row
/// of tiles.
void transpose(int rows, int columns, const float* in, float* out) {
    const dim3 grid((rows + tile - 1) / tile, (columns + tile - 1) / tile);
    transpose_vector<<<grid, chunks * chunks>>>(rows, columns, in, out);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_transpose(argc, argv, "16-byte accesses", 4, transpose);
}
