// Which groups exist without being created? A block, a grid, and a cluster, as the
// launch made them, and the threads of a warp that are active together. A plain launch
// has a cluster, too, of one block. Only a cooperative launch makes the grid a group
// that can be synchronized.

#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int blocks = 8;
constexpr int block_size = 64;

/// Sizes of the groups that a thread belongs to.
struct sizes {
    unsigned block;
    unsigned blocks_in_cluster;
    unsigned cluster;
    unsigned grid;
    unsigned active;  ///< together in a branch
    bool grid_can_sync;
};

// [kernel]
/// The first thread of each block notes the sizes of its groups.
/// @param found  one set of sizes for each block in device memory, written
__global__ void find_groups(sizes* found) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::cluster_group cluster = cg::this_cluster();
    const cg::grid_group grid = cg::this_grid();
    if (block.thread_rank() < 10) {
        const cg::coalesced_group active = cg::coalesced_threads();
        if (block.thread_rank() == 0)
            found[blockIdx.x] = {
                block.num_threads(),   cluster.num_blocks(),
                cluster.num_threads(), static_cast<unsigned>(grid.num_threads()),
                active.num_threads(),  grid.is_valid()};
    }
}
// [/kernel]

// [launch]
/// Launches with up to two attributes.
/// @param found        device array that the sizes go to
/// @param cluster      blocks in a cluster, or 0 for none
/// @param cooperative  whether all blocks must be on the GPU together
void launch(sizes* found, unsigned cluster, int cooperative) {
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = cooperative;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = block_size;
    config.attrs = attributes;
    config.numAttrs = cluster ? 2 : 1;
    lockstep::check(cudaLaunchKernelEx(&config, find_groups, found));
}
// [/launch]

int main() {
    lockstep::require_device(90);

    const struct {
        const char* name;
        unsigned cluster;
        int cooperative;
    } launches[] = {{"plain", 0, 0}, {"clusters of 4", 4, 0}, {"cooperative", 0, 1}};
    bool right = true;
    unsigned active = 0;
    std::printf("%-14s%7s%19s%9s%6s%15s\n", "launch", "block", "blocks in cluster",
                "cluster", "grid", "grid can sync");
    for (const auto& one : launches) {
        lockstep::device_buffer<sizes> d_found(blocks);
        d_found.fill_bytes(0);
        launch(d_found.data(), one.cluster, one.cooperative);
        const unsigned wanted = one.cluster ? one.cluster : 1;
        sizes first = {};
        for (const sizes& found : d_found.to_host()) {
            right = right && found.block == block_size &&
                    found.blocks_in_cluster == wanted &&
                    found.cluster == wanted * block_size &&
                    found.grid == blocks * block_size &&
                    found.grid_can_sync == (one.cooperative == 1) &&
                    // nothing promises that all ten are active together
                    found.active >= 1 && found.active <= 10;
            first = found;
        }
        active = first.active;
        std::printf("%-14s%7u%19u%9u%6u%15s\n", one.name, first.block,
                    first.blocks_in_cluster, first.cluster, first.grid,
                    first.grid_can_sync ? "yes" : "no");
    }
    lockstep::report("active in branch, of 10", lockstep::counted{active});
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
