// A bulk copy can end in the shared memory of another block of the cluster. It starts
// in global memory or in the sender's shared memory, and it completes on a barrier of
// the block that receives: that one announces the bytes and waits.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int tile = 512;  // words

// [wait]
/// Waits for the first phase of a barrier. Gives up after two seconds.
__device__ void wait(std::uint64_t* barrier) {
    const auto done = [&] {
        return ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                             barrier, 0, 1'000'000);
    };
    if (done()) return;
    const unsigned long long begin = lockstep::now_ns();
    while (!done())
        if (lockstep::now_ns() - begin > 2'000'000'000) __trap();
}
// [/wait]

// [kernel]
/// Passes tiles on within clusters of two blocks, which receive two tiles each.
/// @param x  one tile for each block in device memory
/// @param y  two tiles for each block in device memory, written: the other block's tile
///           from its shared memory, and the same from global memory
__global__ void __cluster_dims__(2) exchange(const unsigned* x, unsigned* y) {
    __shared__ alignas(128) unsigned own[tile], from_shared[tile], from_global[tile];
    __shared__ std::uint64_t arrived;
    constexpr std::uint32_t bytes = sizeof own;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    x += std::size_t(blockIdx.x) * tile;
    y += std::size_t(blockIdx.x) * tile * 2;
    if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
    for (int i = threadIdx.x; i < tile; i += block_size) own[i] = x[i];
    ptx::fence_proxy_async(ptx::space_shared);  // for the tile
    cluster.sync();  // the barriers of both blocks are initialized
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, 2 * bytes);
        std::uint64_t* their_barrier = cluster.map_shared_rank(&arrived, other);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                           cluster.map_shared_rank(from_shared, other), own, bytes,
                           their_barrier);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,
                           cluster.map_shared_rank(from_global, other), x, bytes,
                           their_barrier);
    }
    wait(&arrived);  // both copies that the other block started
    for (int i = threadIdx.x; i < tile; i += block_size) {
        y[i] = from_shared[i];
        y[tile + i] = from_global[i];
    }
    cluster.sync();  // a block must not end while a copy reads or writes its memory
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = 2 * options.integer("clusters", 500, 1, 100'000);
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> x(std::size_t(blocks) * tile);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 5;
    std::vector<unsigned> expected(2 * x.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t block = i / (2 * tile);
        expected[i] = x[(block ^ 1) * tile + i % tile];
    }
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_y(expected.size());
    d_y.fill_bytes(0xFF);
    exchange<<<blocks, block_size>>>(d_x.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("words received", expected.size());
    lockstep::report("wrong words", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
