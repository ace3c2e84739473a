// Tensor cores, rung 1: how does a warp multiply matrices with the C++ interface, WMMA?
// It loads fragments of 16 x 16 that are spread over the warp's registers in an
// unspecified layout. Portable, but on Hopper far below the peak.

#include <cstddef>

#include <mma.h>

#include <lockstep/check.hpp>
#include <lockstep/ladders/bf16.hpp>

namespace wmma = nvcuda::wmma;
using bf16 = __nv_bfloat16;

// [constants]
constexpr int block_mn = 128;
constexpr int block_k = 32;
constexpr int warps_m = 2;
constexpr int warps_n = 4;
constexpr int threads = warps_m * warps_n * 32;
constexpr int row = block_k + 8;  // padded: elements in a row of a tile
// [/constants]

// [kernel]
/// c = a * b^T; each warp 64 x 32 of it.
/// @param n  rows of b, columns of c, a multiple of block_mn
/// @param k  columns of a and b, a multiple of block_k
/// @param a  m x k numbers, row by row, in device memory, aligned to 16 bytes; m is a
///           multiple of block_mn
/// @param b  n x k numbers, row by row, in device memory, aligned to 16 bytes
/// @param c  m x n numbers, row by row, in device memory
__global__ void __launch_bounds__(threads)
    bf16_wmma(int n, int k, const bf16* a, const bf16* b, bf16* c) {
    __shared__ alignas(128) bf16 tile_a[block_mn * row];
    __shared__ alignas(128) bf16 tile_b[block_mn * row];
    __shared__ alignas(128) float result[warps_m * warps_n][16 * 16];
    const int warp = threadIdx.x / 32;
    const int wy = warp / warps_n * 64;
    const int wx = warp % warps_n * 32;
    a += std::size_t(blockIdx.y) * block_mn * k;
    b += std::size_t(blockIdx.x) * block_mn * k;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (auto& line : sum)
        for (auto& fragment : line) wmma::fill_fragment(fragment, 0);
    // [/kernel]
    // [loop]
    for (int first = 0; first < k; first += block_k) {
        for (int i = threadIdx.x; i < block_mn * block_k / 8; i += threads) {
            const int y = i / (block_k / 8);
            const int x = i % (block_k / 8) * 8;
            *reinterpret_cast<uint4*>(tile_a + y * row + x) =
                *reinterpret_cast<const uint4*>(a + std::size_t(y) * k + first + x);
            *reinterpret_cast<uint4*>(tile_b + y * row + x) =
                *reinterpret_cast<const uint4*>(b + std::size_t(y) * k + first + x);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < block_k; i += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> of_a[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> of_b[2];
            for (int y = 0; y < 4; ++y)
                wmma::load_matrix_sync(of_a[y], tile_a + (wy + 16 * y) * row + i, row);
            for (int x = 0; x < 2; ++x)
                wmma::load_matrix_sync(of_b[x], tile_b + (wx + 16 * x) * row + i, row);
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 2; ++x)
                    wmma::mma_sync(sum[y][x], of_a[y], of_b[x], sum[y][x]);
        }
        __syncthreads();
    }
    // [/loop]
    // [epilogue]
    // through shared memory, since a fragment does not say where an element is
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 2; ++x) {
            wmma::store_matrix_sync(result[warp], sum[y][x], 16, wmma::mem_row_major);
            __syncwarp();
            for (int i = threadIdx.x % 32; i < 16 * 16; i += 32)
                c[(std::size_t(blockIdx.y) * block_mn + wy + 16 * y + i / 16) * n +
                  blockIdx.x * block_mn + wx + 16 * x + i % 16] =
                    __float2bfloat16(result[warp][i]);
            __syncwarp();
        }
}
// [/epilogue]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
    bf16_wmma<<<dim3(n / block_mn, m / block_mn), threads>>>(n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_bf16(argc, argv, "WMMA", 80, block_mn, block_k,
                                    multiply);
}
