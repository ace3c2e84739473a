// Which groups have no reduction, no scan, no broadcast and no copy? The block itself
// has neither reduction nor scan, and a generic thread_group has no collective at all.
// This file does not compile, and each error names one rule.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// [refused]
/// Collectives for groups that do not have them.
__global__ void collect(int* x) {
    __shared__ int words[4];
    const cg::thread_block block = cg::this_thread_block();
    x[0] = cg::reduce(block, x[1], cg::plus<int>());
    x[1] = cg::exclusive_scan(block, x[1]);
    const auto tile = cg::tiled_partition<32>(block);
    x[2] = cg::reduce(tile, x[2], cg::plus<float>());  // another type than the value
    const auto large = cg::tiled_partition<64>(block);
    const auto odd = cg::binary_partition(large, true);
    const cg::thread_group any = block;
    cg::memcpy_async(any, words, x, sizeof words);
}
// [/refused]

int main() {}
