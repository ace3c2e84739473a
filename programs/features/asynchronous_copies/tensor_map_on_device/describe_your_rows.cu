// Twelve matrices of 32 columns lie one after the other. Each block gets the first row
// of its matrix and its number of rows, and copies a tile of 16 rows from its
// beginning; where the matrix has fewer rows, the tile must end in zeros. The host's
// map describes all rows of all matrices. Change the copy of it in shared memory, so
// that it describes the matrix of this block. One thread executes your code.

#include <cstdint>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 32;
constexpr int tile_rows = 16;
constexpr int tile_size = tile_rows * columns;
constexpr int matrices = 12;

/// Lets a map describe one matrix.
/// @param map    a copy of the host's map, in shared memory
/// @param first  first element of the matrix, in device memory
/// @param rows   rows of the matrix
__device__ void describe(CUtensorMap* map, const int* first, int rows) {
    // where the map is, and the numbers of its dimensions, as the calls take them
    [[maybe_unused]] constexpr auto shared = ptx::space_shared;
    [[maybe_unused]] constexpr ptx::n32_t<0> columns_of;
    [[maybe_unused]] constexpr ptx::n32_t<1> rows_of;
    // [task]
    ptx::tensormap_replace_global_address(shared, map, first);
    ptx::tensormap_replace_global_dim(shared, map, rows_of, rows);
    //= given
    //| // Which fields does the host's map have wrong for this matrix?
    //= mutant address_only
    //| ptx::tensormap_replace_global_address(shared, map, first);
    //= mutant rows_only
    //| ptx::tensormap_replace_global_dim(shared, map, rows_of, rows);
    //= mutant wrong_dimension
    //| ptx::tensormap_replace_global_address(shared, map, first);
    //| ptx::tensormap_replace_global_dim(shared, map, columns_of, rows);
    //= mutant one_less
    //| ptx::tensormap_replace_global_address(shared, map, first);
    //| const int last = rows - 1;
    //| ptx::tensormap_replace_global_dim(shared, map, rows_of, last);
    //= mutant box_in_place_of_size
    //| ptx::tensormap_replace_global_address(shared, map, first);
    //| const int all = tile_rows;
    //| ptx::tensormap_replace_global_dim(shared, map, rows_of, all);
    // [/task]
}

/// Copies the first tile of each matrix; one matrix a block.
/// @param pattern  describes all rows
/// @param data     all rows in device memory
/// @param begin    first row of each matrix, and one more, in device memory
/// @param maps     room for a map for each block in device memory
/// @param out      a tile for each block in device memory, written
__global__ void first_tiles(const __grid_constant__ CUtensorMap pattern,
                            const int* data, const int* begin, CUtensorMap* maps,
                            int* out) {
    __shared__ alignas(128) CUtensorMap shared_map;
    __shared__ alignas(128) int tile[tile_size];
    __shared__ std::uint64_t arrived;
    CUtensorMap* map = maps + blockIdx.x;
    if (threadIdx.x < 32) {
        const int row = begin[blockIdx.x], rows = begin[blockIdx.x + 1] - row;
        if (threadIdx.x == 0) {
            shared_map = pattern;
            describe(&shared_map, data + row * columns, rows);
        }
        __syncwarp();
        ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_cta, map, &shared_map,
                                     ptx::n32_t<128>());
    }
    if (threadIdx.x == 0) {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, map,
                                           ptx::n32_t<128>());
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    for (int i = threadIdx.x; i < tile_size; i += blockDim.x)
        out[blockIdx.x * tile_size + i] = tile[i];
}

int main() {
    lockstep::require_device(90);

    std::vector<int> begin(1);
    for (int m = 0; m < matrices; ++m) begin.push_back(begin.back() + 2 + m * 5 % 19);
    const int rows = begin.back();
    // after the last matrix there is room for a tile
    std::vector<int> x((rows + tile_rows) * columns), expected(matrices * tile_size);
    for (int i = 0; i < static_cast<int>(x.size()); ++i) x[i] = i + 1;
    for (int m = 0; m < matrices; ++m)
        for (int i = 0; i < tile_size; ++i)
            if (begin[m] + i / columns < begin[m + 1])
                expected[m * tile_size + i] = x[begin[m] * columns + i];

    lockstep::device_buffer<int> d_x(x), d_out(matrices * tile_size);
    const lockstep::device_buffer<int> d_begin(begin);
    lockstep::device_buffer<CUtensorMap> d_maps(matrices);
    d_out.fill_bytes(0xFF);
    const cuuint64_t sizes[] = {columns, cuuint64_t(rows)};
    const cuuint32_t box[] = {columns, tile_rows};
    first_tiles<<<matrices, 128>>>(lockstep::describe_tiles(d_x.data(), sizes, box),
                                   d_x.data(), d_begin.data(), d_maps.data(),
                                   d_out.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("tiles", d_out.to_host(), expected,
                  lockstep::in_groups(tile_size, "matrix",
                                      lockstep::in_groups(columns, "row", "column")));
    return verdict.finish();
}
