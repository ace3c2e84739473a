// Four blocks of a cluster pass their values on: block r sends to block r + 1, the last
// one to the first. Send the value of each thread by ptx::st_async, and announce the
// bytes that this block will receive. The barriers are initialized, and the wait is
// there.

#include <cstdint>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int blocks = 4;

/// Passes values on to the next block.
/// @param x         one int for each thread in device memory
/// @param y         one int for each thread in device memory, written
/// @param complete  one word in device memory, set to 0 if a wait is given up
__global__ void __cluster_dims__(blocks) rotate(const int* x, int* y, int* complete) {
    __shared__ int words[block_size];
    __shared__ std::uint64_t arrived;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % blocks;
    [[maybe_unused]] const int value = x[blockIdx.x * block_size + threadIdx.x];
    words[threadIdx.x] = -1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    // [task]
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof words);
    ptx::st_async(cluster.map_shared_rank(words, next) + threadIdx.x, value,
                  cluster.map_shared_rank(&arrived, next));
    //= given
    //| // Announce the bytes, in one thread, and send `value` to the block `next`.
    //= mutant sends_to_the_previous
    //| if (threadIdx.x == 0)
    //|     ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    //|                                    ptx::space_shared, &arrived, sizeof words);
    //| const unsigned previous = (cluster.block_rank() + blocks - 1) % blocks;
    //| ptx::st_async(cluster.map_shared_rank(words, previous) + threadIdx.x, value,
    //|               cluster.map_shared_rank(&arrived, previous));
    //= mutant announces_the_cluster
    //| if (threadIdx.x == 0)
    //|     ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    //|                                    ptx::space_shared, &arrived,
    //|                                    blocks * sizeof words);
    //| ptx::st_async(cluster.map_shared_rank(words, next) + threadIdx.x, value,
    //|               cluster.map_shared_rank(&arrived, next));
    //= mutant one_lane_sends
    //| if (threadIdx.x == 0) {
    //|     ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    //|                                    ptx::space_shared, &arrived, sizeof(int));
    //|     ptx::st_async(cluster.map_shared_rank(words, next), value,
    //|                   cluster.map_shared_rank(&arrived, next));
    //| }
    // [/task]
    const unsigned long long begin = lockstep::now_ns();
    bool there = false;
    while (!there && lockstep::now_ns() - begin < 100'000'000)
        there = ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                              &arrived, 0);
    if (!there) atomicExch(complete, 0);
    y[blockIdx.x * block_size + threadIdx.x] = words[threadIdx.x];
    cluster.sync();
}

int main() {
    lockstep::require_device(90);

    constexpr int clusters = 10, n = clusters * blocks * block_size;
    std::vector<int> x(n), expected(n);
    for (int i = 0; i < n; ++i) x[i] = i * 11;
    for (int i = 0; i < n; ++i) {
        const int block = i / block_size;
        const int from = block / blocks * blocks + (block + blocks - 1) % blocks;
        expected[i] = x[from * block_size + i % block_size];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_y(n);
    lockstep::device_buffer<int> d_complete(std::vector<int>{1});
    d_y.fill_bytes(0xFF);
    rotate<<<clusters * blocks, block_size>>>(d_x.data(), d_y.data(),
                                              d_complete.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("the phase completes", d_complete.to_host()[0] == 1,
                  "the barrier waits for an arrival, or for more bytes than come");
    verdict.equal("values", d_y.to_host(), expected,
                  lockstep::in_groups(block_size, "block", "thread"));
    return verdict.finish();
}
