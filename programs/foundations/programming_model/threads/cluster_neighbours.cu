// What changes when blocks form clusters? Not the grid: gridDim and blockIdx count
// blocks as before. Neighboring blocks gain a rank in their cluster, and a barrier
// for all of their threads.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// Where one block found itself.
struct place {
    int grid_size;      ///< gridDim.x
    int cluster_size;   ///< blocks in the cluster
    int rank;           ///< of this block in its cluster
};

// [kernel]
/// Each block of a cluster of four notes its place.
/// @param places  one place per block in device memory
__global__ void __cluster_dims__(4, 1, 1) find_place(place* places) {
    const cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        places[blockIdx.x] = {static_cast<int>(gridDim.x),
                              static_cast<int>(cluster.num_blocks()),
                              static_cast<int>(cluster.block_rank())};
    cluster.sync();  // a barrier for all threads of all four blocks
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 8;
    lockstep::device_buffer<place> d_places(blocks);
    d_places.fill_bytes(0xFF);
    find_place<<<blocks, 64>>>(d_places.data());
    lockstep::check(cudaGetLastError());
    const std::vector<place> places = d_places.to_host();

    bool right = true;
    std::printf("block  gridDim.x  blocks in cluster  rank in cluster\n");
    for (int block = 0; block < blocks; ++block) {
        const place& here = places[block];
        std::printf("%5d  %9d  %17d  %15d\n", block, here.grid_size, here.cluster_size,
                    here.rank);
        right = right && here.grid_size == blocks && here.cluster_size == 4 &&
                here.rank == block % 4;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
