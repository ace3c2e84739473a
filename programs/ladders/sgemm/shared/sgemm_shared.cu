// Matrix product, rung 3: why fetch each element of a and b thousands of times? A block
// copies a tile of each into shared memory, and all its threads use it: 32 times fewer
// loads from global memory.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int tile = 32;

/// c = a * b, one element for each thread, through tiles in shared memory.
/// @param m  rows of a and c
/// @param n  columns of b and c
/// @param k  columns of a, rows of b
/// @param a  m x k floats, row by row, in device memory
/// @param b  k x n floats, row by row, in device memory
/// @param c  m x n floats, row by row, in device memory
// [kernel]
__global__ void sgemm_shared(int m, int n, int k, const float* a, const float* b,
                             float* c) {
    __shared__ float tile_a[tile][tile];
    __shared__ float tile_b[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        const int x = first + threadIdx.x;
        const int y = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] =
            row < m && x < k ? a[std::size_t(row) * k + x] : 0;
        tile_b[threadIdx.y][threadIdx.x] =
            y < k && column < n ? b[std::size_t(y) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile; ++i)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[std::size_t(row) * n + column] = sum;
}
// [/kernel]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    sgemm_shared<<<grid, dim3(tile, tile)>>>(m, n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "shared tile", {}, multiply);
}
