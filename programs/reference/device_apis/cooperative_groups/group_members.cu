// What does every member of a block, a cluster and a grid return? One thread of a
// launch with three-dimensional shapes asks all of them: the block is 4 x 3 x 2
// threads, the cluster 2 x 2 x 1 blocks, the grid 4 x 2 x 1 blocks. The host computes
// each answer.

#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

static_assert(std::is_base_of_v<cg::thread_group, cg::thread_block> &&
              std::is_base_of_v<cg::thread_group, cg::cluster_group> &&
              std::is_base_of_v<cg::thread_group, cg::grid_group> &&
              std::is_base_of_v<cg::thread_group, cg::coalesced_group>);

/// A number or three, as a member returned them.
struct answer {
    unsigned x, y, z;
    bool shape;  ///< whether y and z count
};

__device__ answer of(dim3 value) { return {value.x, value.y, value.z, true}; }
__device__ answer of(unsigned long long value) {
    return {static_cast<unsigned>(value), 0, 0, false};
}

constexpr int members = 36;

/// The thread (1, 2, 1) of the block (3, 1, 0) asks; all threads make the collective
/// calls.
/// @param said  one answer for each member in device memory, written
__global__ void ask_groups(answer* said) {
    __shared__ unsigned word;
    const cg::thread_block block = cg::this_thread_block();
    const cg::cluster_group cluster = cg::this_cluster();
    const cg::grid_group grid = cg::this_grid();
    // [barriers]
    if (block.thread_rank() == 0) word = 100 + cluster.block_rank();
    block.sync();
    cg::thread_block::arrival_token at_block = block.barrier_arrive();
    block.barrier_wait(std::move(at_block));
    cluster.sync();
    cg::cluster_group::arrival_token at_cluster = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(at_cluster));
    grid.sync();
    cg::grid_group::arrival_token at_grid = grid.barrier_arrive();
    grid.barrier_wait(std::move(at_grid));
    // [/barriers]
    unsigned* theirs = cluster.map_shared_rank(&word, 1);
    if (blockIdx.x == 3 && blockIdx.y == 1 && block.thread_rank() == 21) {
        // [block]
        *said++ = of(block.thread_rank());
        *said++ = of(block.num_threads());
        *said++ = of(block.size());
        *said++ = of(block.thread_index());
        *said++ = of(block.group_index());
        *said++ = of(block.dim_threads());
        *said++ = of(block.group_dim());
        // [/block]
        // [cluster]
        *said++ = of(cluster.thread_rank());
        *said++ = of(cluster.num_threads());
        *said++ = of(cluster.size());
        *said++ = of(cluster.thread_index());
        *said++ = of(cluster.dim_threads());
        *said++ = of(cluster.block_rank());
        *said++ = of(cluster.num_blocks());
        *said++ = of(cluster.block_index());
        *said++ = of(cluster.dim_blocks());
        *said++ = of(cluster.query_shared_rank(&word));
        *said++ = of(cluster.query_shared_rank(theirs));
        *said++ = of(*theirs);
        // [/cluster]
        // [grid]
        *said++ = of(grid.is_valid());
        *said++ = of(grid.thread_rank());
        *said++ = of(grid.num_threads());
        *said++ = of(grid.size());
        *said++ = of(grid.thread_index());
        *said++ = of(grid.dim_threads());
        *said++ = of(grid.block_rank());
        *said++ = of(grid.num_blocks());
        *said++ = of(grid.block_index());
        *said++ = of(grid.dim_blocks());
        *said++ = of(grid.group_dim());
        *said++ = of(grid.cluster_rank());
        *said++ = of(grid.num_clusters());
        *said++ = of(grid.cluster_index());
        *said++ = of(grid.dim_clusters());
        // [/grid]
        const cg::thread_group any = block;  // the base class
        *said++ = of(any.thread_rank());
        *said++ = of(any.size());
    }
    cluster.sync();  // no block ends while another reads its word
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<answer> d_said(members);
    d_said.fill_bytes(0xFF);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {2, 2, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4, 2, 1);
    config.blockDim = dim3(4, 3, 2);
    config.attrs = attributes;
    config.numAttrs = 2;
    lockstep::check(cudaLaunchKernelEx(&config, ask_groups, d_said.data()));
    const std::vector<answer> said = d_said.to_host();

    const auto number = [](unsigned value) { return std::to_string(value); };
    const auto shape = [](unsigned x, unsigned y, unsigned z) {
        return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " +
               std::to_string(z) + ")";
    };
    const struct {
        const char* label;
        std::string expected;
    } rows[members] = {{"block.thread_rank", number(1 + 4 * 2 + 12 * 1)},
                       {"block.num_threads", number(24)},
                       {"block.size", number(24)},
                       {"block.thread_index", shape(1, 2, 1)},
                       {"block.group_index", shape(3, 1, 0)},
                       {"block.dim_threads", shape(4, 3, 2)},
                       {"block.group_dim", shape(4, 3, 2)},
                       {"cluster.thread_rank", number(3 * 24 + 21)},
                       {"cluster.num_threads", number(4 * 24)},
                       {"cluster.size", number(4 * 24)},
                       {"cluster.thread_index", shape(1 * 4 + 1, 1 * 3 + 2, 1)},
                       {"cluster.dim_threads", shape(8, 6, 2)},
                       {"cluster.block_rank", number(3)},
                       {"cluster.num_blocks", number(4)},
                       {"cluster.block_index", shape(1, 1, 0)},
                       {"cluster.dim_blocks", shape(2, 2, 1)},
                       {"query_shared_rank, own", number(3)},
                       {"query_shared_rank, mapped", number(1)},
                       {"word of block 1 of cluster", number(101)},
                       {"grid.is_valid", number(1)},
                       {"grid.thread_rank", number(7 * 24 + 21)},
                       {"grid.num_threads", number(8 * 24)},
                       {"grid.size", number(8 * 24)},
                       {"grid.thread_index", shape(3 * 4 + 1, 1 * 3 + 2, 1)},
                       {"grid.dim_threads", shape(16, 6, 2)},
                       {"grid.block_rank", number(7)},
                       {"grid.num_blocks", number(8)},
                       {"grid.block_index", shape(3, 1, 0)},
                       {"grid.dim_blocks", shape(4, 2, 1)},
                       {"grid.group_dim", shape(4, 2, 1)},
                       {"grid.cluster_rank", number(1)},
                       {"grid.num_clusters", number(2)},
                       {"grid.cluster_index", shape(1, 0, 0)},
                       {"grid.dim_clusters", shape(2, 1, 1)},
                       {"thread_group.thread_rank", number(21)},
                       {"thread_group.size", number(24)}};
    bool right = true;
    for (int i = 0; i < members; ++i) {
        const std::string found =
            said[i].shape ? shape(said[i].x, said[i].y, said[i].z) : number(said[i].x);
        lockstep::report(rows[i].label, found.c_str());
        right = right && found == rows[i].expected;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
