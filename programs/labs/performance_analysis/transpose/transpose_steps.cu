// How does a transpose become as fast as a copy? In three steps, each of them a kernel:
// straight from row to column, through a tile in shared memory, and through a tile
// whose rows are one element longer. A copy of the matrix is the bound for all three.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;  // elements of a tile in each direction
constexpr int step = 8;  // rows that a block handles at once

// [direct]
/// One element at a time, straight from row to column.
/// @param n    rows and columns, a multiple of tile
/// @param in   n x n doubles, row by row, in device memory
/// @param out  n x n doubles, row by row, in device memory, written
__global__ void transpose_direct(int n, const double* in, double* out) {
    const int column = blockIdx.x * tile + threadIdx.x;
    for (int j = threadIdx.y; j < tile; j += step) {
        const int row = blockIdx.y * tile + j;
        out[std::size_t(column) * n + row] = in[std::size_t(row) * n + column];
    }
}
// [/direct]

// [tiled]
/// Through shared memory: rows are read, rows are written.
/// @tparam width  elements of a row of the tile in shared memory
/// @param n    rows and columns, a multiple of tile
/// @param in   n x n doubles, row by row, in device memory
/// @param out  n x n doubles, row by row, in device memory, written
template <int width>
__device__ void through_tile(int n, const double* in, double* out) {
    __shared__ double words[tile][width];
    const int x = blockIdx.x * tile, y = blockIdx.y * tile;
    for (int j = threadIdx.y; j < tile; j += step)
        words[j][threadIdx.x] = in[std::size_t(y + j) * n + x + threadIdx.x];
    __syncthreads();  // the loop below reads what other threads stored
    for (int j = threadIdx.y; j < tile; j += step)
        out[std::size_t(x + j) * n + y + threadIdx.x] = words[threadIdx.x][j];
}

/// The tile has rows of 32 elements.
/// @param n    rows and columns of the matrix
/// @param in   the matrix in device memory
/// @param out  its transpose in device memory, written
__global__ void transpose_tiled(int n, const double* in, double* out) {
    through_tile<tile>(n, in, out);
}
// [/tiled]

// [padded]
/// The tile has rows of 33 elements.
/// @param n    rows and columns of the matrix
/// @param in   the matrix in device memory
/// @param out  its transpose in device memory, written
__global__ void transpose_padded(int n, const double* in, double* out) {
    through_tile<tile + 1>(n, in, out);
}
// [/padded]

// [copy]
/// Copies the matrix, with the same blocks.
/// @param n    rows and columns of the matrix
/// @param in   the matrix in device memory
/// @param out  its copy in device memory, written
__global__ void copy_matrix(int n, const double* in, double* out) {
    const int column = blockIdx.x * tile + threadIdx.x;
    for (int j = threadIdx.y; j < tile; j += step) {
        const std::size_t i = std::size_t(blockIdx.y * tile + j) * n + column;
        out[i] = in[i];
    }
}
// [/copy]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 128, 1, 512);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const int n = tiles * tile;
    const std::size_t elements = std::size_t(n) * n;
    std::vector<double> in(elements);
    for (std::size_t i = 0; i < elements; ++i) in[i] = static_cast<double>(i);
    const lockstep::device_buffer<double> d_in(in);
    lockstep::device_buffer<double> d_out(elements);

    // [launch]
    const dim3 grid(tiles, tiles), block(tile, step);
    const auto launch = [&](auto kernel) {
        kernel<<<grid, block>>>(n, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
    };
    // [/launch]
    bool right = true;
    double rates[4];
    const char* names[] = {"copy", "direct", "tiled", "padded"};
    int k = 0;
    for (const auto kernel :
         {copy_matrix, transpose_direct, transpose_tiled, transpose_padded}) {
        d_out.fill_bytes(0xFF);
        launch(kernel);
        const std::vector<double> out = d_out.to_host();
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column)
                right = right && out[std::size_t(row) * n + column] ==
                                     (k == 0 ? in[std::size_t(row) * n + column]
                                             : in[std::size_t(column) * n + row]);
        if (!untimed)
            rates[k] = 2e-6 * d_in.bytes() /
                       lockstep::time_on_device([&] { launch(kernel); }).median_ms;
        ++k;
    }
    lockstep::report("all results are right", right);
    if (untimed) return right ? EXIT_SUCCESS : EXIT_FAILURE;

    for (k = 0; k < 4; ++k)
        lockstep::report(names[k], lockstep::measured{rates[k]}, "GB/s");
    lockstep::report("padded / copy", lockstep::measured{100 * rates[3] / rates[0]},
                     "%");
    return right && rates[3] > rates[1] ? EXIT_SUCCESS : EXIT_FAILURE;
}
