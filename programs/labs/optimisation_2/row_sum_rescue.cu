// This kernel adds up each row of a matrix, and it is slow: every thread walks along a
// row of its own, so the lanes of a warp read words that lie a whole row apart. Rewrite
// it so that neighboring lanes read neighboring words.

#include <cstddef>
#include <cstdint>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;

/// One thread for each row; the reference.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param x        rows x columns words, row by row, in device memory
/// @param sums     one word for each row in device memory, written
__global__ void add_rows_plainly(int rows, int columns, const std::uint32_t* x,
                                 std::uint32_t* sums) {
    const int row = blockIdx.x * block_size + threadIdx.x;
    if (row >= rows) return;
    std::uint32_t sum = 0;
    for (int column = 0; column < columns; ++column)
        sum += x[std::size_t(row) * columns + column];
    sums[row] = sum;
}

// [task-kernel]
/// Adds up each row; one warp for each.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param x        rows x columns words, row by row, in device memory
/// @param sums     one word for each row in device memory, written
__global__ void add_rows(int rows, int columns, const std::uint32_t* x,
                         std::uint32_t* sums) {
    const int row = (blockIdx.x * block_size + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;  // the whole warp
    std::uint32_t sum = 0;
    for (int column = lane; column < columns; column += 32)
        sum += x[std::size_t(row) * columns + column];
    for (int width = 16; width > 0; width /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, width);
    if (lane == 0) sums[row] = sum;
}
//= given
//| /// Adds up each row; one thread for each.
//| /// @param rows     rows of the matrix
//| /// @param columns  columns of the matrix
//| /// @param x        rows x columns words, row by row, in device memory
//| /// @param sums     one word for each row in device memory, written
//| __global__ void add_rows(int rows, int columns, const std::uint32_t* x,
//|                          std::uint32_t* sums) {
//|     const int row = blockIdx.x * block_size + threadIdx.x;
//|     if (row >= rows) return;
//|     std::uint32_t sum = 0;
//|     for (int column = 0; column < columns; ++column)
//|         sum += x[std::size_t(row) * columns + column];
//|     sums[row] = sum;
//| }
//= mutant whole_warps_only
//| __global__ void add_rows(int rows, int columns, const std::uint32_t* x,
//|                          std::uint32_t* sums) {
//|     const int row = (blockIdx.x * block_size + threadIdx.x) / 32;
//|     const int lane = threadIdx.x % 32;
//|     if (row >= rows) return;
//|     std::uint32_t sum = 0;
//|     for (int column = lane; column < columns / 32 * 32; column += 32)
//|         sum += x[std::size_t(row) * columns + column];
//|     for (int width = 16; width > 0; width /= 2)
//|         sum += __shfl_down_sync(0xFFFFFFFF, sum, width);
//|     if (lane == 0) sums[row] = sum;
//| }
//= mutant last_lane_stores
//| __global__ void add_rows(int rows, int columns, const std::uint32_t* x,
//|                          std::uint32_t* sums) {
//|     const int row = (blockIdx.x * block_size + threadIdx.x) / 32;
//|     const int lane = threadIdx.x % 32;
//|     if (row >= rows) return;
//|     std::uint32_t sum = 0;
//|     for (int column = lane; column < columns; column += 32)
//|         sum += x[std::size_t(row) * columns + column];
//|     for (int width = 16; width > 0; width /= 2)
//|         sum += __shfl_down_sync(0xFFFFFFFF, sum, width);
//|     if (lane == 31) sums[row] = sum;
//| }
// [/task-kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rows = options.integer("rows", 8191, 1, 16'384);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const int columns = rows + 2;
    const std::size_t words = std::size_t(rows) * columns;
    lockstep::device_buffer<std::uint32_t> x(words);
    lockstep::fill_random(x.data(), words);
    lockstep::device_buffer<std::uint32_t> expected(rows);
    lockstep::device_buffer<std::uint32_t> sums(rows);
    sums.fill_bytes(0xFF);
    const int blocks = (rows + block_size - 1) / block_size;
    // [task-launch]
    const int my_blocks = (rows + block_size / 32 - 1) / (block_size / 32);
    //= given
    //| const int my_blocks = (rows + block_size - 1) / block_size;
    // [/task-launch]
    const auto plainly = [&] {
        add_rows_plainly<<<blocks, block_size>>>(rows, columns, x.data(),
                                                 expected.data());
    };
    const auto mine = [&] {
        add_rows<<<my_blocks, block_size>>>(rows, columns, x.data(), sums.data());
    };
    plainly();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    verdict.equal("sums of the rows", sums.to_host(), expected.to_host(),
                  lockstep::numbered("the sum of row"));
    if (!untimed) {
        const double before = lockstep::time_on_device(plainly).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over thread per row", before / now, 3,
                         "which words do lanes 0 to 31 read in one load?");
    }
    return verdict.finish();
}
