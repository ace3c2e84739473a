// A launch may name two cluster sizes: a required minimum and a larger, preferred one.
// Which does each block get? On compute capability 9.0 the launch is accepted, and all
// clusters have the minimum size; newer GPUs may use both.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Each block stores the size of its cluster.
/// @param sizes  one int for each block in device memory, written
__global__ void store_size(int* sizes) {
    if (threadIdx.x == 0)
        sizes[blockIdx.x] =
            static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 400;
    lockstep::device_buffer<int> d_sizes(std::vector<int>(blocks, 0));
    // [launch]
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {2, 1, 1};
    attributes[1].id = cudaLaunchAttributePreferredClusterDimension;
    attributes[1].val.preferredClusterDim = {4, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.attrs = attributes;
    config.numAttrs = 2;
    lockstep::check(cudaLaunchKernelEx(&config, store_size, d_sizes.data()));
    // [/launch]

    int twos = 0;
    int fours = 0;
    for (const int size : d_sizes.to_host()) {
        twos += size == 2;
        fours += size == 4;
    }
    lockstep::report("blocks in clusters of 2", twos);
    lockstep::report("blocks in clusters of 4", fours);
    lockstep::report("all have one of the two", twos + fours == blocks);
    return twos + fours == blocks ? EXIT_SUCCESS : EXIT_FAILURE;
}
