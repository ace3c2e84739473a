// Matrix product, rung 5: what if a thread computes 8 x 8 elements? 16 loads from
// shared memory serve 64 multiply-adds, and all sums stay in registers.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int block_m = 128;
constexpr int block_n = 128;
constexpr int block_k = 8;
constexpr int per_thread = 8;  // in each direction
constexpr int threads = block_m * block_n / (per_thread * per_thread);

/// c = a * b, 8 x 8 elements for each thread.
/// @param n  columns of b and c, a multiple of block_n
/// @param k  columns of a, rows of b, a multiple of block_k
/// @param a  m x k floats, row by row, in device memory; m is a multiple of block_m
/// @param b  k x n floats, row by row, in device memory
/// @param c  m x n floats, row by row, in device memory
// [kernel]
__global__ void __launch_bounds__(threads)
    sgemm_square(int n, int k, const float* a, const float* b, float* c) {
    __shared__ float tile_a[block_m][block_k];
    __shared__ float tile_b[block_k][block_n];
    a += std::size_t(blockIdx.y) * block_m * k;
    b += blockIdx.x * block_n;
    c += std::size_t(blockIdx.y) * block_m * n + blockIdx.x * block_n;
    const int row = threadIdx.x / (block_n / per_thread) * per_thread;
    const int column = threadIdx.x % (block_n / per_thread) * per_thread;
    float sum[per_thread][per_thread] = {};
    // [/kernel]
    // [loop]
    for (int first = 0; first < k; first += block_k) {
        for (int i = threadIdx.x; i < block_m * block_k; i += threads)
            tile_a[i / block_k][i % block_k] =
                a[std::size_t(i / block_k) * k + first + i % block_k];
        for (int i = threadIdx.x; i < block_k * block_n; i += threads)
            tile_b[i / block_n][i % block_n] =
                b[std::size_t(first + i / block_n) * n + i % block_n];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < block_k; ++i) {
            float of_a[per_thread];
            float of_b[per_thread];
#pragma unroll
            for (int y = 0; y < per_thread; ++y) of_a[y] = tile_a[row + y][i];
#pragma unroll
            for (int x = 0; x < per_thread; ++x) of_b[x] = tile_b[i][column + x];
#pragma unroll
            for (int y = 0; y < per_thread; ++y)
#pragma unroll
                for (int x = 0; x < per_thread; ++x) sum[y][x] += of_a[y] * of_b[x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < per_thread; ++y)
#pragma unroll
        for (int x = 0; x < per_thread; ++x)
            c[std::size_t(row + y) * n + column + x] = sum[y][x];
}
// [/loop]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    sgemm_square<<<dim3(n / block_n, m / block_m), threads>>>(n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "8 x 8 per thread",
                                     {block_m, block_n, block_k}, multiply);
}
