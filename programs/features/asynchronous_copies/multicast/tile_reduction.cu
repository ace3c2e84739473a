// Can a copy add instead of overwrite? A bulk reduction combines a tile in shared
// memory with a tile in global memory, element by element and atomically, by one
// instruction of one thread. Many blocks reduce into the same matrix here: sum,
// minimum, maximum. The same sum by atomicAdd of each thread is timed beside it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/back_to_back.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 60, rows = 30;  // the last tiles extend beyond the matrix
constexpr int tile_columns = 32, tile_rows = 16;
constexpr int tile_size = tile_columns * tile_rows;
constexpr int layers = 256;  // blocks that share a tile of the matrix

/// What a block contributes to an element.
__host__ __device__ int part(int layer, int column, int row) {
    return (layer * 7 + row * columns + column) % 101 - 50;
}

// [reduce]
/// Combines the parts of all layers; each block one tile of one layer.
/// @param op      ptx::op_add, ptx::op_min or ptx::op_max
/// @param matrix  describes the result
template <class Op>
__global__ void reduce_tiles(Op op, const __grid_constant__ CUtensorMap matrix) {
    __shared__ alignas(128) int tile[tile_size];
    const int x = blockIdx.x * tile_columns, y = blockIdx.y * tile_rows;
    for (int i = threadIdx.x; i < tile_size; i += blockDim.x)
        tile[i] = part(blockIdx.z, x + i % tile_columns, y + i / tile_columns);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x > 0) return;
    const std::int32_t corner[] = {x, y};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, op, &matrix,
                                     corner, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
// [/reduce]

// [atomics]
/// The sum by an atomic operation for each element.
/// @param sums  columns x rows ints in device memory
__global__ void add_by_atomics(int* sums) {
    const int x = blockIdx.x * tile_columns, y = blockIdx.y * tile_rows;
    for (int i = threadIdx.x; i < tile_size; i += blockDim.x) {
        const int column = x + i % tile_columns, row = y + i / tile_columns;
        if (column < columns && row < rows)
            atomicAdd(sums + row * columns + column, part(blockIdx.z, column, row));
    }
}
// [/atomics]

int main() {
    lockstep::require_device(90);

    constexpr int n = columns * rows;
    std::vector<int> sums(n), least(n, 1000), most(n, -1000);
    for (int i = 0; i < n; ++i) {
        for (int layer = 0; layer < layers; ++layer) {
            const int x = part(layer, i % columns, i / columns);
            sums[i] += x;
            least[i] = std::min(least[i], x);
            most[i] = std::max(most[i], x);
        }
    }
    lockstep::device_buffer<int> d_y(n);
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint32_t box[] = {tile_columns, tile_rows};
    const CUtensorMap map = lockstep::describe_tiles(d_y.data(), sizes, box);
    const dim3 grid((columns + tile_columns - 1) / tile_columns,
                    (rows + tile_rows - 1) / tile_rows, layers);
    bool right = true;
    const auto verify = [&](const char* label, const std::vector<int>& expected) {
        const bool same = d_y.to_host() == expected;
        lockstep::report(label, same);
        right = right && same;
    };
    // [operations]
    d_y.fill_bytes(0);
    reduce_tiles<<<grid, 128>>>(ptx::op_add, map);
    lockstep::check(cudaGetLastError());
    verify("sum, right", sums);
    d_y.fill_bytes(0x7F);  // larger than every part
    reduce_tiles<<<grid, 128>>>(ptx::op_min, map);
    lockstep::check(cudaGetLastError());
    verify("minimum, right", least);
    d_y.fill_bytes(0x80);  // smaller than every part
    reduce_tiles<<<grid, 128>>>(ptx::op_max, map);
    lockstep::check(cudaGetLastError());
    verify("maximum, right", most);
    // [/operations]
    d_y.fill_bytes(0);
    add_by_atomics<<<grid, 128>>>(d_y.data());
    lockstep::check(cudaGetLastError());
    verify("sum by atomics, right", sums);

    const lockstep::timing tiles = lockstep::time_back_to_back(
        [&] { reduce_tiles<<<grid, 128>>>(ptx::op_add, map); });
    const lockstep::timing elements =
        lockstep::time_back_to_back([&] { add_by_atomics<<<grid, 128>>>(d_y.data()); });
    lockstep::check(cudaGetLastError());
    lockstep::report("tile reductions, time", lockstep::measured{tiles.median_ms * 1e3},
                     "us");
    lockstep::report("atomics, time", lockstep::measured{elements.median_ms * 1e3},
                     "us");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
