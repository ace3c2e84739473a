// How does a block tell a neighbor in its cluster that data is there? It stores the
// data to the neighbor's shared memory and arrives at a barrier there. Heat spreads
// along a rod that four blocks share; each step needs one number of each neighbor.
// Compared: all blocks of the cluster synchronize in each step.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;  // cells of a block, one for each thread
constexpr int cluster_size = 4;
constexpr int n = cluster_size * block_size;

/// The next value of a cell: whole numbers, so that both kernels agree exactly.
__host__ __device__ unsigned spread(unsigned left, unsigned mine, unsigned right) {
    return (left + 2 * mine + right) / 4;
}

// [cluster-sync]
/// All blocks of the cluster synchronize in each step.
/// @param steps  number of steps
/// @param rods   n unsigneds for each cluster in device memory, changed in place
__global__ void __cluster_dims__(cluster_size)
    heat_by_cluster_sync(int steps, unsigned* rods) {
    __shared__ unsigned cells[2][block_size];
    const auto cluster = cooperative_groups::this_cluster();
    const int rank = cluster.block_rank(), t = threadIdx.x;
    unsigned mine = rods[blockIdx.x * block_size + t];
    for (int step = 0; step < steps; ++step) {
        unsigned* now = cells[step % 2];
        now[t] = mine;
        cluster.sync();
        unsigned left = 0, right = 0;  // outside of the rod
        if (t > 0)
            left = now[t - 1];
        else if (rank > 0)
            left = cluster.map_shared_rank(now, rank - 1)[block_size - 1];
        if (t < block_size - 1)
            right = now[t + 1];
        else if (rank < cluster_size - 1)
            right = cluster.map_shared_rank(now, rank + 1)[0];
        mine = spread(left, mine, right);
    }
    rods[blockIdx.x * block_size + t] = mine;
    cluster.sync();  // a block must not end while another one reads its cells
}
// [/cluster-sync]

// [send]
/// Stores a word to the neighbor's shared memory, and arrives at its barrier.
/// @param cluster    the cluster
/// @param rank       the neighbor's rank
/// @param word       this block's address of the word; the neighbor's is written
/// @param barrier    this block's address of the barrier
/// @param value      what to store
__device__ void send(const cooperative_groups::cluster_group& cluster, int rank,
                     unsigned* word, std::uint64_t* barrier, unsigned value) {
    *cluster.map_shared_rank(word, rank) = value;
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(barrier, rank));
}
// [/send]

// [remote]
/// Only neighbors tell each other; the block synchronizes as usual.
/// @param steps  number of steps
/// @param rods   n unsigneds for each cluster in device memory, changed in place
__global__ void __cluster_dims__(cluster_size)
    heat_by_remote_arrival(int steps, unsigned* rods) {
    __shared__ unsigned cells[2][block_size];
    __shared__ unsigned halo[2][2];          // even and odd steps; left and right
    __shared__ std::uint64_t arrived[2][2];  // the same: a barrier for each word
    const auto cluster = cooperative_groups::this_cluster();
    const int rank = cluster.block_rank(), t = threadIdx.x;
    // whether a block beside this one has this thread's left or right cell
    const bool has_left = t == 0 && rank > 0;
    const bool has_right = t == block_size - 1 && rank < cluster_size - 1;
    if (t < 4) {
        ptx::mbarrier_init(&arrived[t / 2][t % 2], 1);  // one neighbor, one arrival
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();  // the barriers of all blocks are initialized
    unsigned mine = rods[blockIdx.x * block_size + t];
    for (int step = 0; step < steps; ++step) {
        unsigned* now = cells[step % 2];
        unsigned* here = halo[step % 2];
        std::uint64_t* barriers = arrived[step % 2];
        if (has_left) send(cluster, rank - 1, &here[1], &barriers[1], mine);
        if (has_right) send(cluster, rank + 1, &here[0], &barriers[0], mine);
        now[t] = mine;
        __syncthreads();
        unsigned left = t > 0 ? now[t - 1] : 0;
        unsigned right = t < block_size - 1 ? now[t + 1] : 0;
        if (has_left || has_right) {
            const int side = has_right;  // 0 is left, 1 is right
            const unsigned parity = step / 2 % 2;  // each barrier: every second step
            while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                                  &barriers[side], parity)) {
            }
            (has_left ? left : right) = here[side];
        }
        mine = spread(left, mine, right);
    }
    rods[blockIdx.x * block_size + t] = mine;
    cluster.sync();  // a block must not end while another one arrives at its barriers
}
// [/remote]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 10'000);
    const int clusters = options.integer("clusters", 16, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> rods(clusters * n);
    for (int i = 0; i < clusters * n; ++i) rods[i] = i % n * 7919u % 100'003u;
    std::vector<unsigned> expected = rods, before(rods.size());
    for (int step = 0; step < steps; ++step) {
        before.swap(expected);
        for (int i = 0; i < clusters * n; ++i)
            expected[i] = spread(i % n > 0 ? before[i - 1] : 0, before[i],
                                 i % n < n - 1 ? before[i + 1] : 0);
    }
    lockstep::device_buffer<unsigned> d_rods(rods.size());
    const auto launch = [&](std::size_t kernel) {
        const int blocks = clusters * cluster_size;
        if (kernel == 0)
            heat_by_cluster_sync<<<blocks, block_size>>>(steps, d_rods.data());
        else
            heat_by_remote_arrival<<<blocks, block_size>>>(steps, d_rods.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const std::size_t kernel : {0, 1}) {
        lockstep::check(cudaMemcpy(d_rods.data(), rods.data(), d_rods.bytes(),
                                   cudaMemcpyHostToDevice));
        launch(kernel);
        wrong += lockstep::count_mismatches(d_rods.to_host(), expected);
    }
    const auto times = lockstep::time_in_turns(2, launch);
    const auto ns = [&](int kernel) {
        return lockstep::measured{1e6 * times[kernel].median_ms / steps};
    };
    lockstep::report("wrong cells", wrong);
    lockstep::report("cluster.sync(), a step", ns(0), "ns");
    lockstep::report("remote arrival, a step", ns(1), "ns");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
