// Matrix product, rung 7: can the next tiles arrive while the current ones are used?
// Asynchronous copies go from global to shared memory without passing registers. Of
// three pairs of tiles one is in use and two are in flight, with one barrier per step.

#include <cstddef>

#include <cuda_pipeline.h>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int block_m = 128;
constexpr int block_n = 128;
constexpr int block_k = 16;
constexpr int stages = 3;
constexpr int per_thread = 8;  // in each direction
constexpr int threads = block_m * block_n / (per_thread * per_thread);

// [tiles]
/// The tiles of one step.
struct tiles {
    float a[block_k][block_m + 4];  // transposed and padded
    float b[block_k][block_n];
};

/// Starts to fetch the tiles of one step.
/// @param to     the tiles, in shared memory
/// @param n      columns of b
/// @param k      columns of a
/// @param a      first row of the block's part of a, at the step's first column
/// @param b      the step's first row of b, at the block's first column
__device__ void fetch(tiles& to, int n, int k, const float* a, const float* b) {
    // word by word, since it is transposed on the way
#pragma unroll
    for (int i = 0; i < block_m * block_k / threads; ++i) {
        const int y = threadIdx.x / block_k + i * (threads / block_k);
        const int x = threadIdx.x % block_k;
        __pipeline_memcpy_async(&to.a[x][y], a + std::size_t(y) * k + x, sizeof(float));
    }
#pragma unroll
    for (int i = 0; i < block_k * block_n / 4 / threads; ++i) {
        const int y = threadIdx.x / (block_n / 4) + i * (threads / (block_n / 4));
        const int x = threadIdx.x % (block_n / 4) * 4;
        __pipeline_memcpy_async(&to.b[y][x], b + std::size_t(y) * n + x,
                                sizeof(float4));
    }
}
// [/tiles]

// [kernel]
/// c = a * b, 8 x 8 elements for each thread.
/// @param n  columns of b and c, a multiple of block_n
/// @param k  columns of a, rows of b, a multiple of block_k
/// @param a  m x k floats, row by row, in device memory, aligned to 16 bytes; m is a
///           multiple of block_m
/// @param b  k x n floats, row by row, in device memory, aligned to 16 bytes
/// @param c  m x n floats, row by row, in device memory, aligned to 16 bytes
__global__ void __launch_bounds__(threads, 2)
    sgemm_async(int n, int k, const float* a, const float* b, float* c) {
    extern __shared__ __align__(16) char shared[];
    auto* ring = reinterpret_cast<tiles*>(shared);
    a += std::size_t(blockIdx.y) * block_m * k;
    b += blockIdx.x * block_n;
    c += std::size_t(blockIdx.y) * block_m * n + blockIdx.x * block_n;
    const int row = threadIdx.x / 16 * 4;     // and 64 further down
    const int column = threadIdx.x % 16 * 4;  // and 64 further right
    float sum[per_thread][per_thread] = {};
    for (int step = 0; step < stages - 1; ++step) {
        if (step * block_k < k)
            fetch(ring[step], n, k, a + step * block_k,
                  b + std::size_t(step) * block_k * n);
        __pipeline_commit();
    }
    // [/kernel]
    // [loop]
    for (int step = 0; step * block_k < k; ++step) {
        __pipeline_wait_prior(stages - 2);  // this step's tiles have arrived
        // for all threads, and all threads have finished with the previous tiles
        __syncthreads();
        const int next = step + stages - 1;
        if (next * block_k < k)
            fetch(ring[next % stages], n, k, a + next * block_k,
                  b + std::size_t(next) * block_k * n);
        __pipeline_commit();
        const tiles& now = ring[step % stages];
#pragma unroll
        for (int i = 0; i < block_k; ++i) {
            alignas(16) float of_a[per_thread];
            alignas(16) float of_b[per_thread];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(of_a + 4 * half) =
                    *reinterpret_cast<const float4*>(&now.a[i][row + 64 * half]);
                *reinterpret_cast<float4*>(of_b + 4 * half) =
                    *reinterpret_cast<const float4*>(&now.b[i][column + 64 * half]);
            }
#pragma unroll
            for (int y = 0; y < per_thread; ++y)
#pragma unroll
                for (int x = 0; x < per_thread; ++x) sum[y][x] += of_a[y] * of_b[x];
        }
    }
#pragma unroll
    for (int y = 0; y < per_thread; ++y)
#pragma unroll
        for (int half = 0; half < 2; ++half)
            *reinterpret_cast<float4*>(c + std::size_t(row + y % 4 + y / 4 * 64) * n +
                                       column + 64 * half) = {
                sum[y][4 * half], sum[y][4 * half + 1], sum[y][4 * half + 2],
                sum[y][4 * half + 3]};
}
// [/loop]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    lockstep::check(cudaFuncSetAttribute(sgemm_async,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         stages * sizeof(tiles)));
    sgemm_async<<<dim3(n / block_n, m / block_m), threads, stages * sizeof(tiles)>>>(
        n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "async copies",
                                     {block_m, block_n, block_k}, multiply);
}
