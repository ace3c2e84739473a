// Sums of all rows and of all columns of a matrix, with one thread for each sum. For
// the columns, neighboring lanes read neighboring words; for the rows, they read words
// that lie a whole row apart. A third kernel computes both in one pass over the matrix.

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

constexpr int block_size = 256;
constexpr int strip = 64;  // rows of a block of both_sums

// [one-thread-each]
/// One thread for each row.
/// @param n     rows and columns
/// @param x     n x n words, row by row, in device memory
/// @param sums  n words in device memory, written
__global__ void row_sums(int n, const std::uint32_t* x, std::uint32_t* sums) {
    const int row = blockIdx.x * block_size + threadIdx.x;
    if (row >= n) return;
    std::uint32_t sum = 0;
    for (int column = 0; column < n; ++column) sum += x[std::size_t(row) * n + column];
    sums[row] = sum;
}

/// One thread for each column.
/// @param n     rows and columns
/// @param x     n x n words, row by row, in device memory
/// @param sums  n words in device memory, written
__global__ void column_sums(int n, const std::uint32_t* x, std::uint32_t* sums) {
    const int column = blockIdx.x * block_size + threadIdx.x;
    if (column >= n) return;
    std::uint32_t sum = 0;
    for (int row = 0; row < n; ++row) sum += x[std::size_t(row) * n + column];
    sums[column] = sum;
}
// [/one-thread-each]

// [one-pass]
/// Both in one pass: a block adds up a strip of rows, one thread for each column.
/// @param n        rows and columns
/// @param x        n x n words, row by row, in device memory
/// @param rows     n words in device memory, increased
/// @param columns  n words in device memory, increased
__global__ void both_sums(int n, const std::uint32_t* x, std::uint32_t* rows,
                          std::uint32_t* columns) {
    const int column = blockIdx.x * block_size + threadIdx.x;
    const int first = blockIdx.y * strip;
    std::uint32_t down = 0;
    for (int row = first; row < min(first + strip, n); ++row) {
        const std::uint32_t word = column < n ? x[std::size_t(row) * n + column] : 0;
        down += word;
        std::uint32_t along = word;  // joined in the warp, then added to the row's sum
        for (int width = 16; width > 0; width /= 2)
            along += __shfl_down_sync(0xFFFFFFFF, along, width);
        if (threadIdx.x % 32 == 0) atomicAdd(rows + row, along);
    }
    if (column < n) atomicAdd(columns + column, down);
}
// [/one-pass]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 8192, 1, 16'384);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::size_t words = std::size_t(n) * n;
    lockstep::device_buffer<std::uint32_t> x(words);
    lockstep::fill_random(x.data(), words);
    std::vector<std::uint32_t> expected_rows(n);
    std::vector<std::uint32_t> expected_columns(n);
    const std::vector<std::uint32_t> host = x.to_host();
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            expected_rows[row] += host[std::size_t(row) * n + column];
            expected_columns[column] += host[std::size_t(row) * n + column];
        }
    lockstep::device_buffer<std::uint32_t> rows(n);
    lockstep::device_buffer<std::uint32_t> columns(n);
    rows.fill_bytes(0xFF);
    columns.fill_bytes(0xFF);
    const int blocks = (n + block_size - 1) / block_size;
    const dim3 strips(blocks, (n + strip - 1) / strip);
    const auto along = [&] {
        row_sums<<<blocks, block_size>>>(n, x.data(), rows.data());
    };
    const auto down = [&] {
        column_sums<<<blocks, block_size>>>(n, x.data(), columns.data());
    };
    const auto both = [&] {
        lockstep::check(cudaMemsetAsync(rows.data(), 0, n * sizeof(std::uint32_t)));
        lockstep::check(cudaMemsetAsync(columns.data(), 0, n * sizeof(std::uint32_t)));
        both_sums<<<strips, block_size>>>(n, x.data(), rows.data(), columns.data());
    };
    bool right = true;
    const auto check_sums = [&] {
        lockstep::check(cudaGetLastError());
        right = right &&
                lockstep::count_mismatches(rows.to_host(), expected_rows) == 0 &&
                lockstep::count_mismatches(columns.to_host(), expected_columns) == 0;
    };
    along();
    down();
    check_sums();
    both();
    check_sums();
    lockstep::report("all sums are right", right);
    if (untimed) return right ? EXIT_SUCCESS : EXIT_FAILURE;

    const double row_us = 1e3 * lockstep::time_on_device(along).median_ms;
    const double column_us = 1e3 * lockstep::time_on_device(down).median_ms;
    const double both_us = 1e3 * lockstep::time_on_device(both).median_ms;
    lockstep::report("rows, a thread each", lockstep::measured{row_us}, "us");
    lockstep::report("columns, a thread each", lockstep::measured{column_us}, "us");
    lockstep::report("both in one pass", lockstep::measured{both_us}, "us");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
