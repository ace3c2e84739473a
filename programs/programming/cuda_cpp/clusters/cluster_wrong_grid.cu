// What if the grid is no multiple of the cluster? The launch is refused. And a cluster
// attribute written with one pair of parentheses too many is worse: it compiles with a
// warning, and asks for clusters of one.

#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#ifndef DOUBLE_PARENTHESES
// [right]
#define CLUSTER __cluster_dims__(4, 1, 1)
// [/right]
#else
// [wrong]
#define CLUSTER __cluster_dims__((4, 1, 1))
// [/wrong]
#endif

// [kernel]
/// Notes how many blocks its cluster has.
/// @param blocks  one int in device memory
__global__ void CLUSTER count_blocks(unsigned* blocks) {
    *blocks = cooperative_groups::this_cluster().num_blocks();
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<unsigned> d_blocks(1);
    d_blocks.fill_bytes(0);
    // [launch]
    count_blocks<<<8, 32>>>(d_blocks.data());
    const cudaError_t eight = cudaGetLastError();
    const unsigned in_cluster = d_blocks.to_host()[0];
    count_blocks<<<6, 32>>>(d_blocks.data());
    const cudaError_t six = cudaGetLastError();
    // [/launch]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("grid of 8 blocks", cudaGetErrorName(eight));
    lockstep::report("blocks in a cluster", in_cluster);
    lockstep::report("grid of 6 blocks", cudaGetErrorName(six));
#ifndef DOUBLE_PARENTHESES
    return in_cluster == 4 && six == cudaErrorInvalidClusterSize ? EXIT_SUCCESS
                                                                 : EXIT_FAILURE;
#else
    return in_cluster == 1 && six == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
#endif
}
