// How does a kernel say that its blocks form clusters? With an attribute that fixes the
// cluster's size at compile time. The launch stays as it was. Inside, a group object
// knows the cluster's extents and each thread's and block's rank.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What one block found out.
struct answers {
    unsigned blocks_in_cluster;  ///< cluster.num_blocks()
    unsigned threads_in_cluster;  ///< cluster.num_threads()
    unsigned block_rank;  ///< cluster.block_rank()
    unsigned last_thread_rank;  ///< cluster.thread_rank() of the block's last thread
    unsigned extent_x;  ///< cluster.dim_blocks().x
};

// [kernel]
/// The last thread of each block notes what it finds.
/// @param found  one entry per block in device memory
__global__ void __cluster_dims__(4, 1, 1) look_around(answers* found) {
    const cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    if (threadIdx.x == blockDim.x - 1)
        found[blockIdx.x] = {cluster.num_blocks(), cluster.num_threads(),
                             cluster.block_rank(), cluster.thread_rank(),
                             cluster.dim_blocks().x};
    cluster.sync();  // every thread of all four blocks
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    // [launch]
    constexpr int blocks = 8;
    constexpr int threads = 64;
    lockstep::device_buffer<answers> d_found(blocks);
    d_found.fill_bytes(0xFF);
    look_around<<<blocks, threads>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    // [/launch]

    bool right = true;
    std::printf("block  rank of block  rank of its last thread\n");
    const std::vector<answers> found = d_found.to_host();
    for (unsigned block = 0; block < blocks; ++block) {
        const answers& here = found[block];
        std::printf("%5u  %13u  %23u\n", block, here.block_rank, here.last_thread_rank);
        right = right && here.block_rank == block % 4 &&
                here.last_thread_rank == (block % 4 + 1) * threads - 1;
    }
    lockstep::report("blocks in a cluster", found[0].blocks_in_cluster);
    lockstep::report("threads in a cluster", found[0].threads_in_cluster);
    lockstep::report("extent of a cluster in x", found[0].extent_x);
    right = right && found[0].blocks_in_cluster == 4 &&
            found[0].threads_in_cluster == 4 * threads;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
