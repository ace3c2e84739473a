// Can a block read another block's shared memory? In a cluster, yes. Each block fills
// an array of its own, then reads its neighbor's array, and each thread adds one to a
// counter of the first block. No thread reads before all blocks have written (first
// barrier), and no block ends while another may still read (second barrier).

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;

// [kernel]
/// Copies what the next block of the cluster holds in shared memory.
/// @param from_neighbor  block_size ints per block in device memory
/// @param visits         one int per block in device memory: how many threads were
///                       counted there
__global__ void __cluster_dims__(4, 1, 1)
    read_neighbor(int* from_neighbor, int* visits) {
    namespace cg = cooperative_groups;
    __shared__ int mine[block_size];
    __shared__ int counter;
    const cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) counter = 0;
    cluster.sync();  // every block has begun, and has written

    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int* theirs = cluster.map_shared_rank(mine, next);
    from_neighbor[blockIdx.x * block_size + threadIdx.x] = theirs[threadIdx.x];
    // in the first block's shared memory
    atomicAdd(cluster.map_shared_rank(&counter, 0), 1);

    cluster.sync();  // no block ends before all have read
    if (threadIdx.x == 0) visits[blockIdx.x] = counter;
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 8;
    lockstep::device_buffer<int> d_from_neighbor(blocks * block_size);
    lockstep::device_buffer<int> d_visits(blocks);
    d_from_neighbor.fill_bytes(0xFF);
    d_visits.fill_bytes(0xFF);
    read_neighbor<<<blocks, block_size>>>(d_from_neighbor.data(), d_visits.data());
    lockstep::check(cudaGetLastError());

    std::vector<int> expected(blocks * block_size);
    for (int block = 0; block < blocks; ++block) {
        const int next = block / 4 * 4 + (block + 1) % 4;
        for (int i = 0; i < block_size; ++i)
            expected[block * block_size + i] = 1000 * next + i;
    }
    const std::size_t wrong =
        lockstep::count_mismatches(d_from_neighbor.to_host(), expected);
    const std::vector<int> visits = d_visits.to_host();
    lockstep::report("blocks", blocks);
    lockstep::report("wrong elements", wrong);
    lockstep::report("visits at rank 0", visits[0]);
    lockstep::report("visits at rank 1", visits[1]);
    const bool right = wrong == 0 && visits[0] == 4 * block_size &&
                       visits[4] == 4 * block_size && visits[1] == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
