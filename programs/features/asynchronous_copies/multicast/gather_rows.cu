// How does TMA load rows that are not neighbors, such as the rows of a table that a
// list of indices names? From compute capability 10.0 on, one copy of the kind gather4
// takes a column and four rows. Its tensor map describes a box of one row.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 64, rows = 1000;  // of the table
constexpr int picked = 4 * 32;  // rows that are asked for, four by each block

// [kernel]
/// Copies four rows of a table to consecutive rows of the result.
/// @param table  describes the table, in boxes of one row
/// @param list   four row numbers for each block in device memory
/// @param y      four rows of `columns` ints for each block in device memory, written
__global__ void gather(const __grid_constant__ CUtensorMap table, const int* list,
                       int* y) {
    __shared__ alignas(128) int found[4][columns];
    __shared__ std::uint64_t arrived;
    const int first = blockIdx.x * 4;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof found);
        const std::int32_t at[] = {0, list[first], list[first + 1], list[first + 2],
                                   list[first + 3]};  // a column, and four rows
        ptx::cp_async_bulk_tensor_tile_gather4(ptx::space_shared, ptx::space_global,
                                               found, &table, at, &arrived);
    }
    __syncthreads();  // the barrier is initialized
    lockstep::await_phase(&arrived, 0);
    for (int row = 0; row < 4; ++row)
        y[(first + row) * columns + threadIdx.x] = found[row][threadIdx.x];
}
// [/kernel]

int main() {
    lockstep::require_device(100);

    std::vector<int> x(rows * columns), list(picked), expected(picked * columns);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
    for (int i = 0; i < picked; ++i) {
        list[i] = i * 7919 % rows;
        for (int c = 0; c < columns; ++c)
            expected[i * columns + c] = x[list[i] * columns + c];
    }
    lockstep::device_buffer<int> d_x(x), d_y(expected.size());
    const lockstep::device_buffer<int> d_list(list);
    const std::uint64_t sizes[] = {columns, rows};
    const std::uint32_t box[] = {columns, 1};
    const CUtensorMap table = lockstep::describe_tiles(d_x.data(), sizes, box);
    d_y.fill_bytes(0xFF);
    gather<<<picked / 4, columns>>>(table, d_list.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("rows", picked);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
