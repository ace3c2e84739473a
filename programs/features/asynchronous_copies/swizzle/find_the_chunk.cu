// A tile of 64 rows of 64 bytes was copied with the swizzle of 64 bytes. Find the place
// of each 16-byte chunk. Two rows share a line of 128 bytes, and the line decides how
// the four chunks of a row are permuted.

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

constexpr int rows = 64;
constexpr int row_chunks = 4;  // of 16 bytes
constexpr int chunks = rows * row_chunks;

/// Where a chunk lies in shared memory.
/// @param row    0 to 63
/// @param chunk  of the row, 0 to 3
/// @return its place in chunks, from the beginning of the tile
__device__ int place(int row, int chunk) {
    // [task]
    const int line = row / 2;
    return row * row_chunks + (chunk ^ (line % 4));
    //= given
    //| // This is its place without a swizzle.
    //| return row * row_chunks + chunk;
    //= mutant by_row
    //| return row * row_chunks + (chunk ^ (row % 4));
    //= mutant rotated
    //| const int line = row / 2;
    //| return row * row_chunks + (chunk + line) % 4;
    //= mutant two_lines
    //| const int line = row / 2;
    //| return row * row_chunks + (chunk ^ (line % 2));
    //= mutant line_too_slow
    //| const int line = row / 4;
    //| return row * row_chunks + (chunk ^ (line % 4));
    // [/task]
}

/// Copies a tile into shared memory and writes its chunks in the order of the array.
/// @param tiles  describes the array
/// @param y      `chunks` int4 in device memory, written; as many threads
__global__ void unswizzle(const __grid_constant__ CUtensorMap tiles, int4* y) {
    __shared__ alignas(1024) int4 tile[chunks];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &tiles,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    const int row = threadIdx.x / row_chunks, chunk = threadIdx.x % row_chunks;
    y[threadIdx.x] = tile[place(row, chunk)];
}

int main() {
    lockstep::require_device(90);

    std::vector<int> x(chunks * 4);
    for (int i = 0; i < chunks * 4; ++i) x[i] = i * 3;
    lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int4> d_y(chunks);
    d_y.fill_bytes(0xFF);
    const cuuint64_t sizes[] = {row_chunks * 4, rows};
    const cuuint32_t box[] = {row_chunks * 4, rows};
    unswizzle<<<1, chunks>>>(
        lockstep::describe_tiles(d_x.data(), sizes, box, CU_TENSOR_MAP_SWIZZLE_64B),
        d_y.data());
    lockstep::check(cudaGetLastError());

    std::vector<int> y;
    for (const int4& chunk : d_y.to_host())
        y.insert(y.end(), {chunk.x, chunk.y, chunk.z, chunk.w});
    lockstep::exercise_verdict verdict(-1);
    verdict.equal("array", y, x,
                  lockstep::in_groups(4 * row_chunks, "row",
                                      lockstep::in_groups(4, "chunk", "word")));
    return verdict.finish();
}
