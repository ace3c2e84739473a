// What does a pipeline gain in a tiled matrix product? Each block copies the tiles of
// the next steps while it multiplies those of this step. Few blocks on each SM leave
// latency to hide; many hide it for each other.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;         // of a block's tile of the product
constexpr int depth = 16;        // columns of A and rows of B that a step takes
constexpr int block_size = 256;  // each thread computes 4 x 4 elements
constexpr int pad = 4;           // spreads the rows of the tile of A over the banks
constexpr int through_registers = 0;  // instead of a number of stages

/// The two tiles of a step.
struct tiles {
    float a[side][depth + pad];
    float b[depth][side];
};

// [multiply]
/// Adds the product of two tiles to a thread's 4 x 4 elements.
/// @param t    the tiles, in shared memory
/// @param sum  the thread's elements
__device__ void multiply(const tiles& t, float (&sum)[4][4]) {
    const int row = threadIdx.x / 16 * 4, column = threadIdx.x % 16 * 4;
    for (int k = 0; k < depth; ++k)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                sum[i][j] += t.a[row + i][k] * t.b[k][column + j];
}
// [/multiply]

// [fetch]
/// Multiplies two square matrices.
/// @tparam stages  stages of the pipeline, or through_registers
/// @param n        side, a multiple of 64, at most 4096: offsets are 32-bit
/// @param a, b     n * n floats each in device memory, row by row, 16-byte aligned
/// @param c        n * n floats in device memory, written
template <int stages>
__global__ void product(int n, const float* a, const float* b, float* c) {
    constexpr int buffers = stages == through_registers ? 1 : stages;
    __shared__ alignas(16) tiles shared[buffers];
    const int i = threadIdx.x;
    const int a_row = i / 4, a_column = i % 4 * 4;  // 16 bytes of each tile
    const int b_row = i / 16, b_column = i % 16 * 4;
    const float* from_a = a + (blockIdx.y * side + a_row) * n + a_column;
    const float* from_b = b + b_row * n + blockIdx.x * side + b_column;
    const auto fetch = [&](int step) {
        tiles& t = shared[step % buffers];
        float* const to_a = &t.a[a_row][a_column];
        float* const to_b = &t.b[b_row][b_column];
        if (stages == through_registers) {
            const auto wide_a = reinterpret_cast<const float4*>(from_a + step * depth);
            const auto wide_b =
                reinterpret_cast<const float4*>(from_b + step * depth * n);
            *reinterpret_cast<float4*>(to_a) = *wide_a;
            *reinterpret_cast<float4*>(to_b) = *wide_b;
        } else {
            if (step * depth < n) {
                __pipeline_memcpy_async(to_a, from_a + step * depth, sizeof(float4));
                __pipeline_memcpy_async(to_b, from_b + step * depth * n,
                                        sizeof(float4));
            }
            __pipeline_commit();
        }
    };
    // [/fetch]
    // [loop]
    float sum[4][4] = {};
    for (int step = 0; step < buffers - 1; ++step) fetch(step);
    for (int step = 0; step < n / depth; ++step) {
        fetch(step + buffers - 1);
        __pipeline_wait_prior(buffers - 1);
        __syncthreads();
        multiply(shared[step % buffers], sum);
        __syncthreads();
    }
    const int row = blockIdx.y * side + i / 16 * 4;
    const int column = blockIdx.x * side + i % 16 * 4;
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < 4; ++k) c[(row + r) * n + column + k] = sum[r][k];
}
// [/loop]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 704, side, 4096);
    const bool untimed = options.flag("untimed");
    options.finish();
    if (n % side != 0) {
        std::fprintf(stderr, "matrix_pipeline: --n must be a multiple of %d\n", side);
        return 2;
    }
    lockstep::require_device(80);

    std::vector<float> a(std::size_t(n) * n), b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = float(int(i * 7919 % 7) - 3);  // small whole numbers: exact sums
        b[i] = float(int(i * 104729 % 5) - 2);
    }
    const lockstep::device_buffer<float> d_a(a), d_b(b);
    lockstep::device_buffer<float> d_c(a.size());
    const dim3 blocks(n / side, n / side);
    const auto launch = [&](std::size_t which) {
        const auto kernel = which == 0   ? product<through_registers>
                            : which == 1 ? product<1>
                            : which == 2 ? product<2>
                            : which == 3 ? product<3>
                                         : product<4>;
        kernel<<<blocks, block_size>>>(n, d_a.data(), d_b.data(), d_c.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    std::vector<float> first;
    for (std::size_t which = 0; which < 5; ++which) {
        d_c.fill_bytes(0xFF);
        launch(which);
        const std::vector<float> c = d_c.to_host();
        if (which == 0) first = c;
        wrong += lockstep::count_mismatches(c, first);
    }
    for (int row = 0; row < n; row += n / 16) {  // 16 rows on the host
        std::vector<float> sums(n);
        for (int k = 0; k < n; ++k)
            for (int column = 0; column < n; ++column)
                sums[column] += a[row * n + k] * b[k * n + column];
        for (int column = 0; column < n; ++column)
            wrong += !(first[row * n + column] == sums[column]);
    }
    lockstep::report("side of the matrices", n);
    lockstep::report("blocks", (n / side) * (n / side));
    const char* names[] = {"through registers", "copied, waited for at once",
                           "two stages", "three stages", "four stages"};
    if (!untimed) {
        for (std::size_t which = 0; which < 5; ++which) {
            const auto time = lockstep::time_back_to_back([&] { launch(which); });
            lockstep::report(names[which], lockstep::measured{1e3 * time.median_ms},
                             "us");
        }
    }
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
