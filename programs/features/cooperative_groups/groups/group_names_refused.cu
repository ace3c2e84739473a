// What does the compiler refuse? Handles without a group, and names that descriptions
// of other releases use. This file does not compile with toolkit 13.0, and each error
// names one rule.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// [refused]
/// Handles and names that toolkit 13.0 does not have.
__global__ void name_groups(unsigned* ranks) {
    const cg::thread_block unset;  // a handle needs a group when it is declared
    const auto short_name = cg::this_block();  // this_thread_block()
    const auto block = cg::this_thread_block();
    ranks[0] = block.rank();  // thread_rank()
    const auto strided = cg::stride_partition<4>(block);  // not in toolkit 13.0
    const auto labeled = cg::labeled_partition(block, 1);  // a warp's tile is needed
    auto token = block.barrier_arrive();
    block.barrier_wait(token);  // std::move(token)
}
// [/refused]

int main() {}
