// How does a kernel make a tensor map of its own? It copies a map that the host has
// made into shared memory, replaces some fields there, and publishes the result in
// global memory with a release. Before another block uses the map, it acquires. Here
// one kernel makes a map for each of eight matrices, a second kernel copies their
// tiles.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 32;
constexpr int tile_rows = 16;
constexpr int tile_size = tile_rows * columns;
constexpr int matrices = 8;

/// A matrix of the group; only the device knows it.
struct matrix {
    int* data;  // in device memory
    int rows;
};

// [make]
/// Makes a map for each matrix; one warp a block, one block a matrix.
/// @param pattern  a map with the right type, columns, box and modes
/// @param group    the matrices
/// @param maps     one for each matrix in device memory, written
__global__ void make_maps(const __grid_constant__ CUtensorMap pattern,
                          const matrix* group, CUtensorMap* maps) {
    __shared__ alignas(128) CUtensorMap map;
    if (threadIdx.x == 0) {
        map = pattern;
        const matrix& mine = group[blockIdx.x];
        ptx::tensormap_replace_global_address(ptx::space_shared, &map, mine.data);
        ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<1>(),
                                          mine.rows);
    }
    __syncwarp();
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, maps + blockIdx.x,
                                 &map, ptx::n32_t<128>());
}
// [/make]

// [use]
/// Copies tile blockIdx.x of matrix blockIdx.y.
/// @param maps  one for each matrix, made by make_maps
/// @param out   room for all tiles in device memory, written
__global__ void copy_tiles(const CUtensorMap* maps, int* out) {
    __shared__ alignas(128) int tile[tile_size];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        const CUtensorMap* map = maps + blockIdx.y;
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map,
                                           ptx::n32_t<128>());
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {0, static_cast<int>(blockIdx.x) * tile_rows};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    out += (blockIdx.y * gridDim.x + blockIdx.x) * tile_size;
    for (int i = threadIdx.x; i < tile_size; i += blockDim.x) out[i] = tile[i];
}
// [/use]

int main() {
    lockstep::require_device(90);

    constexpr int most_rows = 40, tiles = 3;
    std::vector<int> x(matrices * most_rows * columns);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i + 1);
    lockstep::device_buffer<int> d_x(x);
    std::vector<matrix> group;
    std::vector<int> expected(matrices * tiles * tile_size);
    for (int m = 0; m < matrices; ++m) {
        const int first = m * most_rows, rows = 5 * (m + 1);
        group.push_back({d_x.data() + first * columns, rows});
        for (int i = 0; i < rows * columns; ++i)
            expected[m * tiles * tile_size + i] = x[first * columns + i];
    }
    const lockstep::device_buffer<matrix> d_group(group);
    lockstep::device_buffer<CUtensorMap> d_maps(matrices);
    lockstep::device_buffer<int> d_out(expected.size());
    d_out.fill_bytes(0xFF);

    // [launch]
    const cuuint64_t sizes[] = {columns, most_rows};
    const cuuint32_t box[] = {columns, tile_rows};
    const CUtensorMap pattern = lockstep::describe_tiles(d_x.data(), sizes, box);
    make_maps<<<matrices, 32>>>(pattern, d_group.data(), d_maps.data());
    lockstep::check(cudaGetLastError());
    copy_tiles<<<dim3(tiles, matrices), 128>>>(d_maps.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    // [/launch]

    int wrong = 0, zeros = 0;
    const std::vector<int> found = d_out.to_host();
    for (std::size_t i = 0; i < found.size(); ++i) {
        wrong += found[i] != expected[i];
        zeros += found[i] == 0;
    }
    lockstep::report("matrices", matrices);
    lockstep::report("tiles", matrices * tiles);
    lockstep::report("elements beyond a matrix", zeros);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
