// Matrix product, rung 4: must every multiply-add load two numbers from shared memory?
// No: a thread that computes eight elements of a column loads one number of b for eight
// multiply-adds.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int block_m = 64;
constexpr int block_n = 64;
constexpr int block_k = 8;
constexpr int per_thread = 8;  // elements of a column
constexpr int threads = block_m * block_n / per_thread;

// [kernel]
/// c = a * b, eight elements of a column for each thread.
/// @param n  columns of b and c, a multiple of block_n
/// @param k  columns of a, rows of b, a multiple of block_k
/// @param a  m x k floats, row by row, in device memory; m is a multiple of block_m
/// @param b  k x n floats, row by row, in device memory
/// @param c  m x n floats, row by row, in device memory
__global__ void __launch_bounds__(threads)
    sgemm_column(int n, int k, const float* a, const float* b, float* c) {
    __shared__ float tile_a[block_m][block_k];
    __shared__ float tile_b[block_k][block_n];
    a += std::size_t(blockIdx.y) * block_m * k;
    b += blockIdx.x * block_n;
    c += std::size_t(blockIdx.y) * block_m * n + blockIdx.x * block_n;
    const int row = threadIdx.x / block_n * per_thread;
    const int column = threadIdx.x % block_n;
    float sum[per_thread] = {};
    // [/kernel]
    // [loop]
    for (int first = 0; first < k; first += block_k) {
        const int ay = threadIdx.x / block_k;
        const int ax = threadIdx.x % block_k;
        tile_a[ay][ax] = a[std::size_t(ay) * k + first + ax];
        const int by = threadIdx.x / block_n;
        tile_b[by][column] = b[std::size_t(first + by) * n + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < block_k; ++i) {
            const float of_b = tile_b[i][column];
#pragma unroll
            for (int y = 0; y < per_thread; ++y) sum[y] += tile_a[row + y][i] * of_b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < per_thread; ++y) c[std::size_t(row + y) * n + column] = sum[y];
}
// [/loop]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    sgemm_column<<<dim3(n / block_n, m / block_m), threads>>>(n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "8 per thread",
                                     {block_m, block_n, block_k}, multiply);
}
