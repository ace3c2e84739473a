// How do blocks cover a matrix? With two-dimensional blocks in a two-dimensional grid:
// the same index formula, once for columns (x) and once for rows (y). A check on both
// sides lets any size work.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// c = a + b for matrices stored row by row.
/// @param rows     number of rows
/// @param columns  number of columns
/// @param a        rows * columns ints in device memory
/// @param b        rows * columns ints in device memory
/// @param c        rows * columns ints in device memory, written
__global__ void matrix_add(int rows, int columns, const int* a, const int* b, int* c) {
    const int column = threadIdx.x + blockDim.x * blockIdx.x;
    const int row = threadIdx.y + blockDim.y * blockIdx.y;
    if (row < rows && column < columns) {
        const int i = row * columns + column;
        c[i] = a[i] + b[i];
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rows = options.integer("rows", 128, 1, 4096);
    const int columns = options.integer("columns", 128, 1, 4096);
    options.finish();
    lockstep::require_device();

    const int n = rows * columns;
    std::vector<int> a(n);
    std::vector<int> b(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 3 * i;
        expected[i] = 4 * i;
    }
    const lockstep::device_buffer<int> d_a(a);
    const lockstep::device_buffer<int> d_b(b);
    lockstep::device_buffer<int> d_c(n);
    d_c.fill_bytes(0xFF);

    // [launch]
    const dim3 block(8, 8);
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    matrix_add<<<grid, block>>>(rows, columns, d_a.data(), d_b.data(), d_c.data());
    lockstep::check(cudaGetLastError());
    // [/launch]

    const std::vector<int> c = d_c.to_host();
    std::printf("grid                        %u x %u blocks of %u x %u threads\n",
                grid.x, grid.y, block.x, block.y);
    lockstep::report("elements", n);
    lockstep::report("threads", static_cast<int>(grid.x * block.x * grid.y * block.y));
    lockstep::report("value of last element", c[n - 1]);
    const std::size_t wrong = lockstep::count_mismatches(c, expected);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
