// A product of two matrices with one thread for each element, in blocks of 256 threads:
// 16 x 16, 32 x 8 or 8 x 32. Does the shape of the block matter? The wider a block, the
// fewer and longer pieces of memory a warp reads and writes.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// c = a * b
/// @param n  rows and columns
/// @param a  n x n ints, row by row, in device memory
/// @param b  n x n ints, row by row, in device memory
/// @param c  n x n ints, row by row, in device memory, written
__global__ void multiply(int n, const int* a, const int* b, int* c) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1024, 1, 4096);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<int> a(n * n);
    std::vector<int> b(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = i * 7 % 13 - 6;
        b[i] = i * 5 % 11 - 5;
    }
    std::vector<int> expected(n * n);
    for (int y = 0; y < n; ++y)
        for (int i = 0; i < n; ++i)
            for (int x = 0; x < n; ++x)
                expected[y * n + x] += a[y * n + i] * b[i * n + x];
    const lockstep::device_buffer<int> d_a(a);
    const lockstep::device_buffer<int> d_b(b);
    lockstep::device_buffer<int> d_c(n * n);
    std::size_t wrong = 0;
    for (const dim3 block : {dim3(8, 32), dim3(16, 16), dim3(32, 8)}) {
        const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
        const auto launch = [&] {
            multiply<<<grid, block>>>(n, d_a.data(), d_b.data(), d_c.data());
        };
        d_c.fill_bytes(0xFF);
        launch();
        lockstep::check(cudaGetLastError());
        wrong += lockstep::count_mismatches(d_c.to_host(), expected);
        if (untimed) continue;
        const std::string label = "blocks of " + std::to_string(block.x) + " x " +
                                  std::to_string(block.y) + " threads";
        const double ms = lockstep::time_on_device(launch).median_ms;
        lockstep::report(label.c_str(), lockstep::measured{1e3 * ms}, "us");
    }
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
