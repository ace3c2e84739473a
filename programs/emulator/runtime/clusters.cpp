// Clusters: blocks that see one another's shared memory.

#include <string>

#include "faults.hpp"
#include "running_launch.hpp"

using namespace emulator;

extern "C" {

void* __emu_remote_shared(void* mine, unsigned rank, const char* file, int line) {
    if (rank >= current_running->per_cluster())
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "asks for the shared memory of block " + std::to_string(rank) + " of a cluster of " +
                  std::to_string(current_running->per_cluster()));
    const thread_block* other = current_running->in_cluster(*current_block, rank);
    if (!other)
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "asks for the shared memory of a block that has ended");
    return other->shared + (static_cast<unsigned char*>(mine) - current_block->shared);
}

unsigned __emu_shared_rank(const void* shared, const char* file, int line) {
    const thread_block* block = block_of_shared(shared);
    if (!block)
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "asks whose shared variable it is, of an address that is in none");
    return block->number % current_running->per_cluster();
}

unsigned __emu_cluster_query(int what) {
    const dim3 c = current_launch->cluster;
    const uint3 b = current_block->index;
    const unsigned index[] = {b.x % c.x, b.y % c.y, b.z % c.z}, size[] = {c.x, c.y, c.z};
    switch (what) {
        case abi::cluster_rank: return (index[2] * c.y + index[1]) * c.x + index[0];
        case abi::cluster_blocks: return c.x * c.y * c.z;
        case abi::launch_cooperative: return current_launch->cooperative;
        default: break;
    }
    return what < abi::cluster_size_x ? index[what - abi::cluster_index_x]
                                      : size[what - abi::cluster_size_x];
}

}  // extern "C"
