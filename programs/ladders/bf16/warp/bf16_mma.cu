// Tensor cores, rung 2: what does the instruction mma.sync gain over WMMA? It
// multiplies 16 x 16 by 16 x 8 numbers in a documented register layout. ldmatrix loads
// four matrices of 8 x 8 from shared memory into that layout, and a swizzle of 16-byte
// chunks avoids bank conflicts.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/bf16.hpp>

using bf16 = __nv_bfloat16;

// [constants]
constexpr int block_mn = 128;
constexpr int block_k = 32;
constexpr int warps_m = 2;
constexpr int warps_n = 4;
constexpr int threads = warps_m * warps_n * 32;
constexpr int chunks = block_k / 8;  // of 16 bytes, in a row of a tile
// [/constants]

// [instructions]
/// Four matrices of 8 x 8 from shared memory; lane i gives the address of row i % 8 of
/// matrix i / 8.
/// @param r     one register for each matrix, written: two numbers of row lane / 4
/// @param line  address of 16 bytes in shared memory
__device__ void load_matrices(std::uint32_t (&r)[4], const void* line) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(line)))
                 : "memory");
}

/// d += a * b for 16 x 8 numbers; a is 16 x 16, b is 16 x 8.
__device__ void multiply_add(float (&d)[4], const std::uint32_t (&a)[4],
                             std::uint32_t b0, std::uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, "
        "%5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Where chunk `chunk` of row `row` of a tile is kept: eight rows use eight different
/// groups of four banks.
__device__ int place(int row, int chunk) {
    return row * chunks + (chunk ^ (row / 2 % chunks));
}
// [/instructions]

// [kernel]
/// c = a * b^T; each warp 64 x 32 of it.
/// @param n  rows of b, columns of c, a multiple of block_mn
/// @param k  columns of a and b, a multiple of block_k
/// @param a  m x k numbers, row by row, in device memory, aligned to 16 bytes; m is a
///           multiple of block_mn
/// @param b  n x k numbers, row by row, in device memory, aligned to 16 bytes
/// @param c  m x n numbers, row by row, in device memory, aligned to 4 bytes
__global__ void __launch_bounds__(threads)
    bf16_mma(int n, int k, const bf16* a, const bf16* b, bf16* c) {
    __shared__ uint4 tile_a[block_mn * chunks];
    __shared__ uint4 tile_b[block_mn * chunks];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int wy = warp / warps_n * 64;
    const int wx = warp % warps_n * 32;
    a += std::size_t(blockIdx.y) * block_mn * k;
    b += std::size_t(blockIdx.x) * block_mn * k;
    float sum[4][4][4] = {};
    // [/kernel]
    // [loop]
    for (int first = 0; first < k; first += block_k) {
        for (int i = threadIdx.x; i < block_mn * chunks; i += threads) {
            const int y = i / chunks;
            const int chunk = i % chunks;
            tile_a[place(y, chunk)] = *reinterpret_cast<const uint4*>(
                a + std::size_t(y) * k + first + chunk * 8);
            tile_b[place(y, chunk)] = *reinterpret_cast<const uint4*>(
                b + std::size_t(y) * k + first + chunk * 8);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < block_k / 16; ++i) {
            std::uint32_t of_a[4][4];
            std::uint32_t of_b[2][4];
#pragma unroll
            for (int y = 0; y < 4; ++y)
                load_matrices(of_a[y], tile_a + place(wy + 16 * y + lane % 16,
                                                      2 * i + lane / 16));
#pragma unroll
            for (int x = 0; x < 2; ++x)
                load_matrices(of_b[x], tile_b + place(wx + 16 * x + lane % 16,
                                                      2 * i + lane / 16));
#pragma unroll
            for (int y = 0; y < 4; ++y)
#pragma unroll
                for (int x = 0; x < 4; ++x)
                    multiply_add(sum[y][x], of_a[y], of_b[x / 2][x % 2],
                                 of_b[x / 2][x % 2 + 2]);
        }
        __syncthreads();
    }
    // [/loop]
    // [epilogue]
#pragma unroll
    for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                bf16* to = c +
                           (std::size_t(blockIdx.y) * block_mn + wy + 16 * y +
                            8 * half + lane / 4) *
                               n +
                           blockIdx.x * block_mn + wx + 8 * x + lane % 4 * 2;
                *reinterpret_cast<__nv_bfloat162*>(to) =
                    __floats2bfloat162_rn(sum[y][x][2 * half], sum[y][x][2 * half + 1]);
            }
}
// [/epilogue]

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const bf16* a, const bf16* b, bf16* c) {
    bf16_mma<<<dim3(n / block_mn, m / block_mn), threads>>>(n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_bf16(argc, argv, "mma.sync", 80, block_mn, block_k,
                                    multiply);
}
