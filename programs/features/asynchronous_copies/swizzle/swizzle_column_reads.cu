// What does a swizzle save? A tile of 32 rows of 128 bytes is read by rows and by
// columns of 16-byte chunks, once as TMA leaves it without a swizzle and once with the
// one of 128 bytes. Without it, 8 lanes that read a column meet in the same four banks.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/tensor_map.hpp>
#include <lockstep/warp_span.hpp>

namespace ptx = cuda::ptx;

constexpr int rows = 32;
constexpr int row_chunks = 8;  // of 16 bytes
constexpr int warps = 32;
constexpr int block_size = 32 * warps;

// [place]
/// Where a chunk of the tile lies, in chunks.
/// @param row     of the tile
/// @param column  of chunks
/// @param mask    7 with the swizzle of 128 bytes, 0 without
__device__ int place(int row, int column, int mask) {
    return row * row_chunks + (column ^ (row & mask));
}
// [/place]

// [kernel]
/// Each warp reads 32 chunks with each load: all rows of a column, or 4 whole rows.
/// @param tiles      describes the array
/// @param mask       of place()
/// @param by_column  what a load reads
/// @param loads      number of loads, a multiple of 8
/// @param sums       block_size ints in device memory, written
/// @param spans      one for each warp in device memory, written
__global__ void read_tile(const __grid_constant__ CUtensorMap tiles, int mask,
                          bool by_column, int loads, int* sums,
                          lockstep::warp_span* spans) {
    __shared__ alignas(1024) int4 tile[rows * row_chunks];
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
    const int lane = threadIdx.x % 32;
    unsigned at[8];  // addresses of eight loads, computed before the clock starts
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = by_column ? lane : i * 4 + lane / row_chunks;
        const int column = by_column ? i : lane % row_chunks;
        at[i] = static_cast<unsigned>(
            __cvta_generic_to_shared(tile + place(row, column, mask)));
    }
    int sum = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int done = 0; done < loads; done += 8) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            int x = 0, y = 0, z = 0, w = 0;
            // both words volatile: neither nvcc nor ptxas may drop loads of the same
            // address, which return the same numbers
            asm volatile("ld.volatile.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                         : "r"(at[i]));
            sum += x + y + z + w;
        }
    }
    lockstep::note_span(spans, begin, clock64());
    sums[threadIdx.x] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device(90);

    constexpr int columns = row_chunks * 4, loads = 512;
    std::vector<int> x(rows * columns);
    for (int i = 0; i < rows * columns; ++i) x[i] = i % 1000;
    lockstep::device_buffer<int> d_x(x), d_sums(block_size);
    lockstep::device_buffer<lockstep::warp_span> d_spans(warps);
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint32_t box[] = {columns, rows};
    bool right = true;
    for (const bool swizzle : {false, true}) {
        const CUtensorMap map = lockstep::describe_tiles(
            d_x.data(), sizes, box,
            swizzle ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
        for (const bool by_column : {false, true}) {
            std::vector<double> cycles;
            for (int run = 0; run < (once ? 1 : 21); ++run) {
                d_sums.fill_bytes(0xFF);
                read_tile<<<1, block_size>>>(map, swizzle ? 7 : 0, by_column, loads,
                                             d_sums.data(), d_spans.data());
                lockstep::check(cudaGetLastError());
                cycles.push_back(double(lockstep::cycles_of(d_spans.to_host())) /
                                 (double(loads) * warps));
            }
            const std::vector<int> sums = d_sums.to_host();
            for (int thread = 0; thread < block_size; ++thread) {
                int expected = 0;
                const int lane = thread % 32;
                for (int i = 0; i < 8; ++i) {
                    const int row = by_column ? lane : i * 4 + lane / row_chunks;
                    const int column = by_column ? i : lane % row_chunks;
                    for (int part = 0; part < 4; ++part)
                        expected += x[row * columns + column * 4 + part] * (loads / 8);
                }
                right = right && sums[thread] == expected;
            }
            const std::string label = std::string(swizzle ? "128B" : "no swizzle") +
                                      (by_column ? ", a column" : ", four rows");
            lockstep::report(label.c_str(),
                             lockstep::measured{lockstep::summarize(cycles).median_ms},
                             "cycles a load");
        }
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
