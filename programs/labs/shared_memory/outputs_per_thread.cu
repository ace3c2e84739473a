// The tiled matrix product with one, two, four or eight elements of the result in each
// thread. A word of b that a thread has fetched from its tile then serves several
// multiply-adds, so each of them costs fewer loads from shared memory.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;

/// c = a * b, modulo 2^32, without tiles; the reference.
/// @param n  rows and columns, a multiple of tile
/// @param a  n x n words, row by row, in device memory
/// @param b  n x n words, row by row, in device memory
/// @param c  n x n words, row by row, in device memory, written
__global__ void multiply_plainly(int n, const std::uint32_t* a, const std::uint32_t* b,
                                 std::uint32_t* c) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    std::uint32_t sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
}

// [kernel]
/// c = a * b, modulo 2^32; a block of tile x (tile / each) threads for each tile of c.
/// @tparam each  elements of c that a thread computes, tile / each rows apart
/// @param n  rows and columns, a multiple of tile
/// @param a  n x n words, row by row, in device memory
/// @param b  n x n words, row by row, in device memory
/// @param c  n x n words, row by row, in device memory, written
template <int each>
__global__ void multiply(int n, const std::uint32_t* a, const std::uint32_t* b,
                         std::uint32_t* c) {
    __shared__ std::uint32_t tile_a[tile][tile];
    __shared__ std::uint32_t tile_b[tile][tile];
    constexpr int rows = tile / each;  // of threads
    const int x = threadIdx.x;
    const int column = blockIdx.x * tile + x;
    std::uint32_t sums[each] = {};
    for (int first = 0; first < n; first += tile) {
        for (int k = 0; k < each; ++k) {
            const int y = threadIdx.y + k * rows;
            tile_a[y][x] = a[(blockIdx.y * tile + y) * n + first + x];
            tile_b[y][x] = b[(first + y) * n + column];
        }
        __syncthreads();  // the tiles are complete
        for (int i = 0; i < tile; ++i) {
            const std::uint32_t word = tile_b[i][x];  // serves all sums
            for (int k = 0; k < each; ++k)
                sums[k] += tile_a[threadIdx.y + k * rows][i] * word;
        }
        __syncthreads();  // the next tiles overwrite what slower threads still read
    }
    for (int k = 0; k < each; ++k)
        c[(blockIdx.y * tile + threadIdx.y + k * rows) * n + column] = sums[k];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2048, tile, 4096) / tile * tile;
    const bool once = options.flag("once");  // for the profiler: no times
    options.finish();
    lockstep::require_device();

    const std::size_t words = std::size_t(n) * n;
    lockstep::device_buffer<std::uint32_t> a(words);
    lockstep::device_buffer<std::uint32_t> b(words);
    lockstep::device_buffer<std::uint32_t> c(words);
    lockstep::fill_random(a.data(), words, 1);
    lockstep::fill_random(b.data(), words, 2);
    const dim3 grid(n / tile, n / tile);
    std::vector<std::uint32_t> expected;
    bool right = true;
    const auto shown = [&](const char* name, auto kernel, int each) {
        const auto launch = [&, each] {
            kernel<<<grid, dim3(tile, tile / each)>>>(n, a.data(), b.data(), c.data());
        };
        c.fill_bytes(0xFF);
        launch();
        lockstep::check(cudaGetLastError());
        if (expected.empty()) expected = c.to_host();
        right = right && lockstep::count_mismatches(c.to_host(), expected) == 0;
        if (once) {
            lockstep::report(name, "launched");
            return;
        }
        const double ms = lockstep::time_on_device(launch).median_ms;
        lockstep::report(name, lockstep::measured{ms}, "ms");
    };
    lockstep::report("rows and columns", n);
    shown("no tiles", multiply_plainly, 1);
    shown("tiles, 1 sum per thread", multiply<1>, 1);
    shown("tiles, 2 sums per thread", multiply<2>, 2);
    shown("tiles, 4 sums per thread", multiply<4>, 4);
    shown("tiles, 8 sums per thread", multiply<8>, 8);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
