// Matrix product, rung 6: what do 16-byte accesses bring? Four loads instead of 16 for
// each step, if the tile of a is transposed in shared memory. The columns of a thread
// form two groups of four, 64 apart, so that adjacent threads read adjacent words.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int block_m = 128;
constexpr int block_n = 128;
constexpr int block_k = 8;
constexpr int per_thread = 8;  // in each direction
constexpr int threads = block_m * block_n / (per_thread * per_thread);

// [kernel]
/// c = a * b, 8 x 8 elements for each thread.
/// @param n  columns of b and c, a multiple of block_n
/// @param k  columns of a, rows of b, a multiple of block_k
/// @param a  m x k floats, row by row, in device memory, aligned to 16 bytes; m is a
///           multiple of block_m
/// @param b  k x n floats, row by row, in device memory, aligned to 16 bytes
/// @param c  m x n floats, row by row, in device memory, aligned to 16 bytes
__global__ void __launch_bounds__(threads)
    sgemm_vector(int n, int k, const float* a, const float* b, float* c) {
    // transposed; padded, so that its columns do not conflict
    __shared__ alignas(16) float tile_a[block_k][block_m + 4];
    __shared__ alignas(16) float tile_b[block_k][block_n];
    a += std::size_t(blockIdx.y) * block_m * k;
    b += blockIdx.x * block_n;
    c += std::size_t(blockIdx.y) * block_m * n + blockIdx.x * block_n;
    const int row = threadIdx.x / 16 * 4;     // and 64 further down
    const int column = threadIdx.x % 16 * 4;  // and 64 further right
    float sum[per_thread][per_thread] = {};
    // [/kernel]
    // [loop]
    for (int first = 0; first < k; first += block_k) {
        const int ay = threadIdx.x / 2;
        const int ax = threadIdx.x % 2 * 4;
        const float4 from_a =
            *reinterpret_cast<const float4*>(a + std::size_t(ay) * k + first + ax);
        tile_a[ax + 0][ay] = from_a.x;
        tile_a[ax + 1][ay] = from_a.y;
        tile_a[ax + 2][ay] = from_a.z;
        tile_a[ax + 3][ay] = from_a.w;
        const int by = threadIdx.x / 32;
        const int bx = threadIdx.x % 32 * 4;
        *reinterpret_cast<float4*>(&tile_b[by][bx]) =
            *reinterpret_cast<const float4*>(b + std::size_t(first + by) * n + bx);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < block_k; ++i) {
            alignas(16) float of_a[per_thread];
            alignas(16) float of_b[per_thread];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                *reinterpret_cast<float4*>(of_a + 4 * half) =
                    *reinterpret_cast<const float4*>(&tile_a[i][row + 64 * half]);
                *reinterpret_cast<float4*>(of_b + 4 * half) =
                    *reinterpret_cast<const float4*>(&tile_b[i][column + 64 * half]);
            }
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
    sgemm_vector<<<dim3(n / block_n, m / block_m), threads>>>(n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "16-byte loads",
                                     {block_m, block_n, block_k}, multiply);
}
