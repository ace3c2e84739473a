// What do the reductions and scans that end in memory do? reduce_update_async() adds
// the result of a group to an atomic, reduce_store_async() stores it, and a scan_update
// returns the scan on top of the old total, which gives each thread a place of its own
// in a common buffer. A lambda and a structure work like the six operators.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;  // four tiles of 32
constexpr int capacity = block_size + block_size / 2;

/// The smallest and the largest number.
struct range {
    int low, high;
};

/// What the kernels left in memory.
struct results {
    int updated;  ///< by reduce_update_async() of each tile
    int updated_float;  ///< the same with floats
    int stored;  ///< by reduce_store_async() of the last tile, into an atomic
    int stored_plain;  ///< the same through a plain pointer
    range extent;  ///< of the block's numbers in tile 0
    int squares;  ///< reduced with a lambda
    int inclusive, exclusive;  ///< of the thread of rank 3, on an old total of 100
    int total_inclusive, total_exclusive;  ///< the totals after them
};

/// Reduces the ranks of the block, tile by tile, into memory.
/// @param out  in device memory, zeros, changed
__global__ void reduce_into(results* out) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> sum, last;
    __shared__ int plain;
    __shared__ float sum_float;
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const int mine = static_cast<int>(block.thread_rank());
    if (mine == 0) {
        sum.store(1000);
        last.store(0);
        plain = 0;
        sum_float = 0.5f;
    }
    block.sync();
    // [reduce]
    cg::reduce_update_async(tile, sum, mine, cg::plus<int>());
    cuda::atomic_ref<float, cuda::thread_scope_block> reference(sum_float);
    cg::reduce_update_async(tile, reference, 1.0f, cg::plus<float>());
    if (tile.meta_group_rank() == 3) {  // a whole tile takes the branch
        cg::reduce_store_async(tile, last, mine, cg::greater<int>());
        cg::reduce_store_async(tile, &plain, mine, cg::less<int>());
    }
    block.sync();  // now the results are visible to all
    // [/reduce]
    if (mine == 0) {
        out->updated = sum.load();
        out->updated_float = static_cast<int>(2 * sum_float);
        out->stored = last.load();
        out->stored_plain = plain;
    }
}

// [lambda]
/// Reduces with operators of the program's own.
/// @param out  in device memory, changed
__global__ void reduce_own(results* out) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int mine = static_cast<int>(tile.thread_rank()) - 10;
    const auto wider = [](range a, range b) {
        return range{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    };
    const range extent = cg::reduce(tile, range{mine, mine}, wider);
    const int squares =
        cg::reduce(tile, mine * mine, [](int a, int b) { return a + b; });
    if (tile.thread_rank() == 0) {
        out->extent = extent;
        out->squares = squares;
    }
}
// [/lambda]

// [scan]
/// Scans of 1 for each thread of one tile, on top of a total of 100.
/// @param out  in device memory, changed
__global__ void scan_onto(results* out) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> first, second;
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (tile.thread_rank() == 0) {
        first.store(100);
        second.store(100);
    }
    tile.sync();
    const int inclusive = cg::inclusive_scan_update(tile, first, 1, cg::plus<int>());
    const int exclusive = cg::exclusive_scan_update(tile, second, 1);
    tile.sync();
    if (tile.thread_rank() == 3) {
        out->inclusive = inclusive;
        out->exclusive = exclusive;
        out->total_inclusive = first.load();
        out->total_exclusive = second.load();
    }
}
// [/scan]

// [allocate]
/// Threads take 1, 2, 1, 2, ... places of a buffer, and number them from 0.
/// @param used    places taken, in device memory, 0 at first
/// @param buffer  capacity ints in device memory, written
__global__ void allocate(int* used, int* buffer) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int want = 1 + static_cast<int>(tile.thread_rank() % 2);
    const cuda::atomic_ref<int, cuda::thread_scope_device> total(*used);
    const int begin = cg::exclusive_scan_update(tile, total, want, cg::plus<int>());
    for (int i = 0; i < want; ++i) buffer[begin + i] = i;
}
// [/allocate]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<results> d_out(1);
    d_out.fill_bytes(0);
    reduce_into<<<1, block_size>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    reduce_own<<<1, 32>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    scan_onto<<<1, 32>>>(d_out.data());
    lockstep::check(cudaGetLastError());
    const results out = d_out.to_host()[0];

    lockstep::device_buffer<int> d_used(1), d_buffer(capacity);
    d_used.fill_bytes(0);
    d_buffer.fill_bytes(0xFF);
    allocate<<<1, block_size>>>(d_used.data(), d_buffer.data());
    lockstep::check(cudaGetLastError());
    const int used = d_used.to_host()[0];
    const std::vector<int> buffer = d_buffer.to_host();

    lockstep::report("update: 1000 + sum of ranks", out.updated);
    lockstep::report("update, float: 0.5 + ones", out.updated_float / 2.0);
    lockstep::report("store: largest of tile 3", out.stored);
    lockstep::report("store, int*: smallest", out.stored_plain);
    lockstep::report("structure: smallest", out.extent.low);
    lockstep::report("structure: largest", out.extent.high);
    lockstep::report("lambda: sum of squares", out.squares);
    lockstep::report("inclusive on 100, rank 3", out.inclusive);
    lockstep::report("exclusive on 100, rank 3", out.exclusive);
    lockstep::report("total after each", out.total_inclusive);
    lockstep::report("places taken", used);
    std::printf("the first places           ");
    for (int i = 0; i < 12; ++i) std::printf(" %d", buffer[i]);
    std::printf("\n");

    int squares = 0;
    for (int i = -10; i < 22; ++i) squares += i * i;
    bool right =
        out.updated == 1000 + block_size * (block_size - 1) / 2 &&
        out.updated_float == 2 * block_size + 1 && out.stored == 127 &&
        out.stored_plain == 96 && out.extent.low == -10 && out.extent.high == 21 &&
        out.squares == squares && out.inclusive == 104 && out.exclusive == 103 &&
        out.total_inclusive == 132 && out.total_exclusive == 132 && used == capacity;
    for (int i = 0; i < capacity; ++i) right = right && buffer[i] == (i % 3 == 2);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
