// What does a prefetch of a tile save? It brings the tile from device memory into L2
// and needs no shared memory and no barrier. The copy that follows then takes less time
// than the first copy of a tile; it is compared with the second copy of one, too.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 32, tile_rows = 64;
constexpr int tile_size = columns * tile_rows;

// [prefetch]
/// Brings a tile into L2; one thread.
/// @param rows  describes the array
/// @param row   first row of the tile
__device__ void prefetch_tile(const CUtensorMap& rows, int row) {
    asm volatile(
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&rows),
        "r"(0), "r"(row)
        : "memory");
}
// [/prefetch]

/// What each copy took, in cycles, and whether the tiles were right.
struct result {
    long long cold;  ///< the first copy of a tile
    long long again;  ///< a copy of the same tile
    long long prefetched;  ///< the copy of a tile that was prefetched
    int wrong;  ///< elements
};

// [kernel]
/// Copies a tile for the first time, the same tile again, and another one that was
/// prefetched; one block.
/// @param rows    describes four tiles, none of which is in L2
/// @param found   written
__global__ void copy_three_times(const __grid_constant__ CUtensorMap rows,
                                 result* found) {
    __shared__ alignas(128) int tile[tile_size];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x > 0) return;
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    int phase = 0, wrong = 0;
    const auto copy = [&](int number) {
        const std::int32_t corner[] = {0, number * tile_rows};
        const long long begin = clock64();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &rows,
                                  corner, &arrived);
        lockstep::await_phase(&arrived, phase);
        const long long cycles = clock64() - begin;
        phase ^= 1;
        for (int i = 0; i < tile_size; ++i) wrong += tile[i] != number * tile_size + i;
        return cycles;
    };
    copy(0);  // the tensor map has been fetched, too
    prefetch_tile(rows, 3 * tile_rows);  // any tile but 0 and 1 would do
    lockstep::busy_wait(10'000);
    found->cold = copy(1);
    found->again = copy(1);
    found->prefetched = copy(3);
    found->wrong = wrong;
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<int> x(4 * tile_size);
    for (int i = 0; i < 4 * tile_size; ++i) x[i] = i;
    lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<char> d_large(std::size_t{256} << 20);
    lockstep::device_buffer<result> d_result(1);
    const cuuint64_t sizes[] = {columns, 4 * tile_rows};
    const cuuint32_t box[] = {columns, tile_rows};
    const CUtensorMap rows = lockstep::describe_tiles(d_x.data(), sizes, box);

    int wrong = 0;
    std::vector<double> cold, again, prefetched;
    for (int run = 0; run < 21; ++run) {
        d_large.fill_bytes(run);  // drives the tiles out of L2
        copy_three_times<<<1, 32>>>(rows, d_result.data());
        lockstep::check(cudaGetLastError());
        const result found = d_result.to_host()[0];
        wrong += found.wrong;
        cold.push_back(double(found.cold));
        again.push_back(double(found.again));
        prefetched.push_back(double(found.prefetched));
    }
    const auto median = [](const std::vector<double>& cycles) {
        return lockstep::measured{lockstep::summarize(cycles).median_ms};
    };
    lockstep::report("first copy of a tile", median(cold), "cycles");
    lockstep::report("the same tile again", median(again), "cycles");
    lockstep::report("a prefetched tile", median(prefetched), "cycles");
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
