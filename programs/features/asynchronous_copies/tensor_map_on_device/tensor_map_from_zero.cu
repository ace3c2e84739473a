// Can a kernel make a tensor map without the host? On compute capability 9.0 it can
// begin with 128 bytes of zero and set every field that can be replaced. The program
// compares the result with what the host's call makes of the same description, byte by
// byte, and copies a tile with it.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 96, rows = 40;
constexpr int tile_columns = 32, tile_rows = 16;
constexpr int tile_size = tile_rows * tile_columns;

// [fields]
/// Sets every field of a map that can be replaced; one thread.
/// @param map   128 bytes of zero in shared memory
/// @param data  columns x rows ints in device memory
__device__ void describe(CUtensorMap* map, const int* data) {
    constexpr auto shared = ptx::space_shared;
    constexpr ptx::n32_t<0> first;
    constexpr ptx::n32_t<1> second;
    ptx::tensormap_replace_global_address(shared, map, data);
    ptx::tensormap_replace_rank(shared, map, 2 - 1);  // one less than the rank
    ptx::tensormap_replace_global_dim(shared, map, first, columns);
    ptx::tensormap_replace_global_dim(shared, map, second, rows);
    constexpr std::int64_t row_bytes = columns * sizeof(int);
    ptx::tensormap_replace_global_stride(shared, map, first, row_bytes);
    ptx::tensormap_replace_box_dim(shared, map, first, tile_columns);
    ptx::tensormap_replace_box_dim(shared, map, second, tile_rows);
    ptx::tensormap_replace_element_stride(shared, map, first, 1);
    ptx::tensormap_replace_element_stride(shared, map, second, 1);
    ptx::tensormap_replace_elemtype(shared, map, ptx::n32_t<3>());  // 32-bit, signed
    ptx::tensormap_replace_interleave_layout(shared, map, ptx::n32_t<0>());  // none
    ptx::tensormap_replace_swizzle_mode(shared, map, ptx::n32_t<0>());       // none
    ptx::tensormap_replace_fill_mode(shared, map, ptx::n32_t<0>());          // zero
}
// [/fields]

// [kernel]
/// Makes a map, publishes it, and uses it, all in one block.
/// @param data       columns x rows ints in device memory
/// @param published  room for a map in device memory, written
/// @param out        the tile at (64, 32) in device memory, written
__global__ void make_and_use(const int* data, CUtensorMap* published, int* out) {
    __shared__ alignas(128) CUtensorMap map;
    __shared__ alignas(128) int tile[tile_size];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x < 32) {
        reinterpret_cast<int*>(&map)[threadIdx.x] = 0;
        __syncwarp();
        if (threadIdx.x == 0) describe(&map, data);
        __syncwarp();
        ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_cta, published, &map,
                                     ptx::n32_t<128>());
    }
    if (threadIdx.x == 0) {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, published,
                                           ptx::n32_t<128>());
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {64, 32};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile,
                                  published, corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    for (int i = threadIdx.x; i < tile_size; i += blockDim.x) out[i] = tile[i];
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<int> x(columns * rows), expected(tile_size);
    for (int i = 0; i < columns * rows; ++i) x[i] = i + 1;
    for (int i = 0; i < tile_size; ++i) {
        const int row = 32 + i / tile_columns, column = 64 + i % tile_columns;
        if (row < rows) expected[i] = x[row * columns + column];
    }
    lockstep::device_buffer<int> d_x(x), d_out(tile_size);
    lockstep::device_buffer<CUtensorMap> d_map(1);
    d_map.fill_bytes(0xFF);
    d_out.fill_bytes(0xFF);
    make_and_use<<<1, 128>>>(d_x.data(), d_map.data(), d_out.data());
    lockstep::check(cudaGetLastError());

    const bool right = d_out.to_host() == expected;
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint32_t box[] = {tile_columns, tile_rows};
    const CUtensorMap by_host = lockstep::describe_tiles(d_x.data(), sizes, box);
    const CUtensorMap by_device = d_map.to_host()[0];
    lockstep::report("the tile is right", right);
    lockstep::report("same bytes as by the host",
                     std::memcmp(&by_host, &by_device, sizeof by_host) == 0);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
