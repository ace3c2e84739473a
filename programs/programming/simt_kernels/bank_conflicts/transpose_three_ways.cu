// Why do transposes need shared memory? Rows in, columns out: one side of the copy
// always has a stride. With a tile in shared memory both accesses to device memory are
// coalesced; then the tile has bank conflicts, and one column of padding removes them.
// A plain copy by cudaMemcpyAsync sets the peak.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;

// [naive]
/// Transposes; each block has a tile of 32 x 32, each thread 32 / block_rows elements
/// of it.
/// @tparam block_rows  blockDim.y; blockDim.x is 32
/// @param n    rows and columns, a multiple of 32
/// @param in   device matrix of n x n, row by row
/// @param out  device matrix of n x n, row by row
template <int block_rows>
__global__ void transpose_naive(int n, const float* in, float* out) {
    const int column = blockIdx.x * tile + threadIdx.x;
    const int first_row = blockIdx.y * tile + threadIdx.y;
#pragma unroll
    for (int i = 0; i < tile; i += block_rows) {
        const int row = first_row + i;
        out[std::size_t(column) * n + row] = in[std::size_t(row) * n + column];
    }
}
// [/naive]

// [tiled]
/// The same through a tile in shared memory.
/// @tparam block_rows  blockDim.y; blockDim.x is 32
/// @tparam padding     words that follow each row of the tile
/// @param n    rows and columns, a multiple of 32
/// @param in   device matrix of n x n, row by row
/// @param out  device matrix of n x n, row by row
template <int block_rows, int padding>
__global__ void transpose_tiled(int n, const float* in, float* out) {
    __shared__ float words[tile][tile + padding];
    const int tile_row = blockIdx.y * tile;
    const int tile_column = blockIdx.x * tile;
    const int x = threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < tile; y += block_rows)
        words[y][x] = in[std::size_t(tile_row + y) * n + tile_column + x];
    __syncthreads();  // each warp now reads what others wrote
#pragma unroll
    for (int y = threadIdx.y; y < tile; y += block_rows)
        out[std::size_t(tile_column + y) * n + tile_row + x] = words[x][y];
}
// [/tiled]

/// Times one transpose and checks it; returns GB/s, reads and writes together, or -1 if
/// it is wrong.
/// @param once    launch it once, for a profiler; the number returned is then 1
/// @param n       rows and columns of the matrix
/// @param in      n times n floats in host memory, the matrix
/// @param d_out   n times n floats in device memory, written
/// @param launch  launches the transpose of the same matrix in device memory into d_out
template <class Launch>
double bandwidth(bool once, int n, const std::vector<float>& in,
                 lockstep::device_buffer<float>& d_out, Launch&& launch) {
    d_out.fill_bytes(0xFF);
    double gbps = 1;
    if (once)
        launch();
    else
        gbps = lockstep::time_on_device(launch).per_second(2.0 * d_out.bytes()) * 1e-9;
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    for (int column = 0; column < n; ++column)
        for (int row = column % 61; row < n; row += 61)
            if (!(out[std::size_t(column) * n + row] ==
                  in[std::size_t(row) * n + column]))
                return -1;
    return gbps;
}

/// Runs the copy and the three transposes with blocks of 32 x block_rows threads;
/// returns the exit status.
template <int block_rows>
int compare(int n, bool once) {
    std::vector<float> in(std::size_t(n) * n);
    // a prime: no two rows alike
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 8388593);
    const lockstep::device_buffer<float> d_in(in);
    lockstep::device_buffer<float> d_out(in.size());

    // [measure]
    const dim3 block(tile, block_rows);
    const dim3 grid(n / tile, n / tile);
    const auto copy = lockstep::time_on_device([&] {
        lockstep::check(cudaMemcpyAsync(d_out.data(), d_in.data(), d_in.bytes(),
                                        cudaMemcpyDeviceToDevice, nullptr));
    });
    const double naive = bandwidth(once, n, in, d_out, [&] {
        transpose_naive<block_rows><<<grid, block>>>(n, d_in.data(), d_out.data());
    });
    const double tiled = bandwidth(once, n, in, d_out, [&] {
        transpose_tiled<block_rows, 0><<<grid, block>>>(n, d_in.data(), d_out.data());
    });
    const double padded = bandwidth(once, n, in, d_out, [&] {
        transpose_tiled<block_rows, 1><<<grid, block>>>(n, d_in.data(), d_out.data());
    });
    // [/measure]
    const bool right = naive > 0 && tiled > 0 && padded > 0;
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;

    const double peak = copy.per_second(2.0 * d_in.bytes()) * 1e-9;
    lockstep::report("threads in a block", tile * block_rows);
    lockstep::report("copy", lockstep::measured{peak}, "GB/s");
    lockstep::report("naive transpose", lockstep::measured{naive}, "GB/s");
    lockstep::report("tiled transpose", lockstep::measured{tiled}, "GB/s");
    lockstep::report("padded transpose", lockstep::measured{padded}, "GB/s");
    lockstep::report("rate, padded / naive", lockstep::measured{padded / naive});
    lockstep::report("rate, padded / copy", lockstep::measured{padded / peak});
    return right && naive < tiled && tiled < padded ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 8192, tile, 32768);
    const int few_threads = options.choice("threads", {"1024", "256"});
    const bool once = options.flag("once");
    options.finish();
    if (n % tile != 0) {
        std::fprintf(stderr,
                     "transpose_three_ways: --n must be a multiple of %d, not %d\n",
                     tile, n);
        return 2;
    }
    lockstep::require_device();
    return few_threads ? compare<8>(n, once) : compare<32>(n, once);
}
