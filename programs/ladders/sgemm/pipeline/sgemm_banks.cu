// Matrix product, rung 9: what delays a multiply-add whose operands are all in
// registers? Registers lie in two banks, and three operands in one bank take longer to
// read. Two changes that alter no result give the compiler a better choice: the order
// of the multiply-adds, and how c is stored.

#include <cstddef>

#include <cuda_pipeline.h>

#include <lockstep/check.hpp>
#include <lockstep/ladders/sgemm.hpp>

constexpr int block_m = 64;
constexpr int block_n = 256;
constexpr int block_k = 16;
constexpr int stages = 2;
constexpr int per_thread = 8;  // in each direction
constexpr int threads = block_m * block_n / (per_thread * per_thread);
constexpr int group = 8;  // rows of blocks that are worked on together

// [tiles]
/// The tiles of one step.
struct tiles {
    float a[block_k][block_m + 4];  // transposed and padded
    float b[block_k][block_n];
};

/// Starts to fetch the tiles of one step.
/// @param to  the tiles, in shared memory
/// @param n   columns of b
/// @param k   columns of a
/// @param a   first row of the block's part of a, at the step's first column
/// @param b   the step's first row of b, at the block's first column
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

// [words]
/// What a thread needs of one row of the tiles.
struct words {
    alignas(16) float a[per_thread];
    alignas(16) float b[per_thread];

    /// Loads them: two groups of four rows and two groups of four columns.
    __device__ void load(const tiles& from, int i, int row, int column) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            *reinterpret_cast<float4*>(a + 4 * half) =
                *reinterpret_cast<const float4*>(&from.a[i][row + 16 * half]);
            *reinterpret_cast<float4*>(b + 4 * half) =
                *reinterpret_cast<const float4*>(&from.b[i][column + 32 * half]);
        }
    }
};
// [/words]

// [store]
/// Stores a word by itself: the compiler does not join volatile assembly.
/// @param to    where, in device memory
/// @param word  what
__device__ void store(float* to, float word) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(to), "f"(word));
}
// [/store]

/// c = a * b, 8 x 8 elements for each thread.
/// @param m  rows of a and c, a multiple of block_m
/// @param n  columns of b and c, a multiple of block_n
/// @param k  columns of a, rows of b, a multiple of block_k
/// @param a  m x k floats, row by row, in device memory, aligned to 16 bytes
/// @param b  k x n floats, row by row, in device memory, aligned to 16 bytes
/// @param c  m x n floats, row by row, in device memory, aligned to 16 bytes
// [kernel]
__global__ void __launch_bounds__(threads, 2)
    sgemm_banks(int m, int n, int k, const float* a, const float* b, float* c) {
    extern __shared__ __align__(16) char shared[];
    auto* ring = reinterpret_cast<tiles*>(shared);
    const int of_group = group * (n / block_n);
    const int top = blockIdx.x / of_group * group;
    const int rows = min(group, m / block_m - top);
    const int block_row = top + blockIdx.x % of_group % rows;
    const int block_column = blockIdx.x % of_group / rows;
    a += std::size_t(block_row) * block_m * k;
    b += block_column * block_n;
    c += std::size_t(block_row) * block_m * n + block_column * block_n;

    const int lane = threadIdx.x % 32;
    // and 16 further down
    const int row = threadIdx.x / 128 * 32 + lane / 8 * 4;
    // and 32 further right
    const int column = threadIdx.x / 32 % 4 * 64 + lane % 8 * 4;
    float sum[per_thread][per_thread] = {};
    for (int step = 0; step < stages - 1; ++step) {
        fetch(ring[step], n, k, a, b);
        a += block_k;
        b += std::size_t(block_k) * n;
        __pipeline_commit();
    }
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    words w[2];
    w[0].load(ring[0], 0, row, column);
    int stage = 0;
    // [/kernel]
    for (int first = 0; first < k; first += block_k) {
#pragma unroll
        for (int i = 0; i < block_k; ++i) {
            if (i == block_k - 1) {  // the next row is in the next tiles
                __pipeline_wait_prior(stages - 2);
                __syncthreads();
                stage = (stage + 1) % stages;
            }
            w[(i + 1) % 2].load(ring[stage], (i + 1) % block_k, row, column);
            if (i == 0) {
                if (first + (stages - 1) * block_k < k) {
                    fetch(ring[(stage + stages - 1) % stages], n, k, a, b);
                    a += block_k;
                    b += std::size_t(block_k) * n;
                }
                __pipeline_commit();
            }
            // [multiply]
#pragma unroll
            for (int y = 0; y < per_thread; ++y)
#pragma unroll
                for (int step = 0; step < per_thread; ++step) {
                    // alternating direction: the last b serves twice
                    const int x = y % 2 ? per_thread - 1 - step : step;
                    sum[y][x] += w[i % 2].a[y] * w[i % 2].b[x];
                }
            // [/multiply]
        }
    }
#ifdef ONLY_ORDER  // stores as in rung 8: what does the order gain by itself?
#pragma unroll
    for (int y = 0; y < per_thread; ++y)
#pragma unroll
        for (int half = 0; half < 2; ++half)
            *reinterpret_cast<float4*>(c + std::size_t(row + y % 4 + y / 4 * 16) * n +
                                       column + 32 * half) = {
                sum[y][4 * half], sum[y][4 * half + 1], sum[y][4 * half + 2],
                sum[y][4 * half + 3]};
#else
    // [store-sums]
#pragma unroll
    for (int y = 0; y < per_thread; ++y)
    // one by one: 16 bytes would tie four sums to four registers in a row
#pragma unroll
        for (int x = 0; x < per_thread; ++x)
            store(c + std::size_t(row + y % 4 + y / 4 * 16) * n + column + x % 4 +
                      x / 4 * 32,
                  sum[y][x]);
    // [/store-sums]
#endif
}

// [launch]
/// Enqueues the product.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
    lockstep::check(cudaFuncSetAttribute(sgemm_banks,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         stages * sizeof(tiles)));
    sgemm_banks<<<n / block_n*(m / block_m), threads, stages * sizeof(tiles)>>>(
        m, n, k, a, b, c);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_sgemm(argc, argv, "register banks",
                                     {block_m, block_n, block_k}, multiply);
}
