// Must a swizzled tile be aligned to 1024 bytes? The hardware permutes by the address,
// not by the row. So a tile may begin at any multiple of 128 bytes, but the readers
// must then use the address, too: the row number alone is right only at a multiple of
// 1024 bytes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int rows = 16;
constexpr int row_chunks = 8;  // of 16 bytes
constexpr int chunks = rows * row_chunks;

/// Copies a tile to a place in shared memory and reads it back in two ways.
/// @param tiles      describes the array
/// @param offset     of the tile, in rows of 128 bytes
/// @param by_row     `chunks` int4 in device memory: chunks found by the row number
/// @param by_address  as many, found by the address; as many threads
__global__ void read_at_offset(const __grid_constant__ CUtensorMap tiles, int offset,
                               int4* by_row, int4* by_address) {
    __shared__ alignas(1024) int4 room[chunks + 8 * row_chunks];
    __shared__ std::uint64_t arrived;
    int4* tile = room + offset * row_chunks;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived,
                                       chunks * sizeof(int4));
        const std::int32_t corner[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &tiles,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    // [formulas]
    const int row = threadIdx.x / row_chunks;
    const int column = threadIdx.x % row_chunks;
    const auto address = static_cast<int>(__cvta_generic_to_shared(tile));
    const int first = address / 128 % 8;  // place of row 0 in the pattern
    by_row[threadIdx.x] = tile[row * row_chunks + (column ^ (row % 8))];
    by_address[threadIdx.x] = tile[row * row_chunks + (column ^ ((row + first) % 8))];
    // [/formulas]
}

int main() {
    lockstep::require_device(90);

    std::vector<int> x(chunks * 4);
    for (int i = 0; i < chunks * 4; ++i) x[i] = i;
    lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int4> d_by_row(chunks), d_by_address(chunks);
    // [map]
    const cuuint64_t sizes[] = {row_chunks * 4, rows};
    const cuuint32_t box[] = {row_chunks * 4, rows};
    const CUtensorMap map =
        lockstep::describe_tiles(d_x.data(), sizes, box, CU_TENSOR_MAP_SWIZZLE_128B);
    // [/map]

    const auto wrong = [](const std::vector<int4>& found) {
        int count = 0;
        for (int i = 0; i < chunks; ++i) count += found[i].x != 4 * i;
        return count;
    };
    bool right = true;
    std::printf("tile at byte   wrong chunks by row   wrong chunks by address\n");
    for (int offset = 0; offset < 8; ++offset) {
        d_by_row.fill_bytes(0xFF);
        d_by_address.fill_bytes(0xFF);
        read_at_offset<<<1, chunks>>>(map, offset, d_by_row.data(),
                                      d_by_address.data());
        lockstep::check(cudaGetLastError());
        const int by_row = wrong(d_by_row.to_host());
        const int by_address = wrong(d_by_address.to_host());
        std::printf("%12d%22d%26d\n", offset * 128, by_row, by_address);
        right = right && by_address == 0 && (by_row == 0) == (offset == 0);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
