// Multiply two square matrices through tiles in shared memory. The kernel below is
// correct, but loads both operands of every multiply-add from global memory. Let each
// block load tiles of 32 x 32 elements of a and b into shared memory, and use each
// element 32 times. The result must stay the same, the kernel must become faster, and
// racecheck must find no race.

#include <cstddef>
#include <cstdint>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;

/// c = a * b, one element for each thread; the reference.
/// @param n  rows and columns, a multiple of tile
/// @param a  n x n words, row by row, in device memory
/// @param b  n x n words, row by row, in device memory
/// @param c  n x n words, row by row, in device memory
__global__ void multiply_plainly(int n, const std::uint32_t* a, const std::uint32_t* b,
                                 std::uint32_t* c) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    std::uint32_t sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
}

/// c = a * b, modulo 2^32
/// @param n  rows and columns, a multiple of tile
/// @param a  n x n words, row by row, in device memory
/// @param b  n x n words, row by row, in device memory
/// @param c  n x n words, row by row, in device memory
__global__ void multiply(int n, const std::uint32_t* a, const std::uint32_t* b,
                         std::uint32_t* c) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    std::uint32_t sum = 0;
    // [task]
    __shared__ std::uint32_t tile_a[tile][tile];
    __shared__ std::uint32_t tile_b[tile][tile];
    for (int first = 0; first < n; first += tile) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; ++i)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    //= given
    //| for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
    //= mutant one_barrier
    //| __shared__ std::uint32_t tile_a[tile][tile];
    //| __shared__ std::uint32_t tile_b[tile][tile];
    //| for (int first = 0; first < n; first += tile) {
    //|     tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    //|     tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    //|     __syncthreads();
    //|     for (int i = 0; i < tile; ++i)
    //|         sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    //| }
    //= mutant exchanged
    //| __shared__ std::uint32_t tile_a[tile][tile];
    //| __shared__ std::uint32_t tile_b[tile][tile];
    //| for (int first = 0; first < n; first += tile) {
    //|     tile_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    //|     tile_b[threadIdx.x][threadIdx.y] = b[(first + threadIdx.y) * n + column];
    //|     __syncthreads();
    //|     for (int i = 0; i < tile; ++i)
    //|         sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    //|     __syncthreads();
    //| }
    // [/task]
    c[row * n + column] = sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1024, tile, 4096) / tile * tile;
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::size_t words = std::size_t(n) * n;
    lockstep::device_buffer<std::uint32_t> a(words);
    lockstep::device_buffer<std::uint32_t> b(words);
    lockstep::device_buffer<std::uint32_t> expected(words);
    lockstep::device_buffer<std::uint32_t> c(words);
    lockstep::fill_random(a.data(), words, 1);
    lockstep::fill_random(b.data(), words, 2);
    c.fill_bytes(0xFF);
    const dim3 grid(n / tile, n / tile);
    const dim3 block(tile, tile);
    const auto plain = [&] {
        multiply_plainly<<<grid, block>>>(n, a.data(), b.data(), expected.data());
    };
    const auto mine = [&] {
        multiply<<<grid, block>>>(n, a.data(), b.data(), c.data());
    };
    plain();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    verdict.equal("the product", c.to_host(), expected.to_host(),
                  lockstep::in_groups(n, "row", "column"));
    if (!untimed) {
        const double before = lockstep::time_on_device(plain).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over no tiles", before / now, 1.2,
                         "does each thread load one word of each tile, and does the "
                         "block then use every word 32 times?");
    }
    return verdict.finish();
}
