// Matrix product, rung 2: what does coalescing gain? Adjacent threads of a warp now
// compute adjacent elements of a row: they read adjacent elements of b, write adjacent
// elements of c, and share one element of a.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int tile = 32;

/// c = a * b, one element for each thread.
/// @param m  rows of a and c
/// @param n  columns of b and c
/// @param k  columns of a, rows of b
/// @param a  m x k floats, row by row, in device memory
/// @param b  k x n floats, row by row, in device memory
/// @param c  m x n floats, row by row, in device memory
// [kernel]
__global__ void sgemm_coalesced(int m, int n, int k, const float* a, const float* b,
                                float* c) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += a[std::size_t(row) * k + i] * b[std::size_t(i) * n + column];
    c[std::size_t(row) * n + column] = sum;
}
// [/kernel]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    sgemm_coalesced<<<grid, dim3(tile, tile)>>>(m, n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "coalesced", {}, multiply);
}
