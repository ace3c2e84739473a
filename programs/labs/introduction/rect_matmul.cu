// Multiply two matrices that are not square, c = a * b, with one thread for each
// element of c; threads with neighboring x compute neighboring elements of a row. Three
// things are wrong or missing: which row and column a thread computes, the bounds check
// at the edges, and the number of blocks in the grid.

#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// c = a * b
/// @param m  rows of a and c
/// @param n  columns of b and c
/// @param k  columns of a, rows of b
/// @param a  m x k ints, row by row, in device memory
/// @param b  k x n ints, row by row, in device memory
/// @param c  m x n ints, row by row, in device memory
__global__ void multiply(int m, int n, int k, const int* a, const int* b, int* c) {
    // [task-kernel]
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    //= given
    //| const int row = blockIdx.x * blockDim.x + threadIdx.x;
    //| const int column = blockIdx.y * blockDim.y + threadIdx.y;
    //= mutant no_guard
    //| const int row = blockIdx.y * blockDim.y + threadIdx.y;
    //| const int column = blockIdx.x * blockDim.x + threadIdx.x;
    //= mutant guard_of_rows_only
    //| const int row = blockIdx.y * blockDim.y + threadIdx.y;
    //| const int column = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (row >= m) return;
    //= mutant x_runs_down
    //| const int row = blockIdx.x * blockDim.x + threadIdx.x;
    //| const int column = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (row >= m || column >= n) return;
    // [/task-kernel]
    int sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int m = options.integer("m", 193, 1, 2000);
    const int n = options.integer("n", 129, 1, 2000);
    const int k = options.integer("k", 257, 1, 2000);
    options.finish();
    lockstep::require_device();

    std::vector<int> a(m * k);
    std::vector<int> b(k * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 7 % 13) - 6;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(i * 5 % 11) - 5;
    std::vector<int> expected(m * n);
    for (int y = 0; y < m; ++y)
        for (int x = 0; x < n; ++x) {
            int sum = 0;
            for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
            expected[y * n + x] = sum;
        }
    const lockstep::device_buffer<int> d_a(a);
    const lockstep::device_buffer<int> d_b(b);
    constexpr int poison = 1 << 30;
    lockstep::device_buffer<int> d_c(std::vector<int>(m * n, poison));

    constexpr int tile = 16;
    // [task-grid]
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    //= given
    //| const dim3 grid(m / tile, n / tile);
    //= mutant rounded_down
    //| const dim3 grid(n / tile, m / tile);
    //= mutant x_runs_down
    //| const dim3 grid((m + tile - 1) / tile, (n + tile - 1) / tile);
    // [/task-grid]
    multiply<<<grid, dim3(tile, tile)>>>(m, n, k, d_a.data(), d_b.data(), d_c.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    lockstep::exercise_verdict verdict(poison);
    verdict.equal("the product", d_c.to_host(), expected,
                  lockstep::in_groups(n, "row", "column"));
    const auto along = [](std::size_t axis) {
        return axis == 0 ? "along x, which runs along a row, the number of blocks"
                         : "along y, the number of blocks";
    };
    const auto blocks_for = [](unsigned elements) {
        return (elements + tile - 1) / tile;
    };
    verdict.equal("blocks of the grid", std::vector<unsigned>{grid.x, grid.y},
                  std::vector<unsigned>{blocks_for(n), blocks_for(m)}, along);
    return verdict.finish();
}
