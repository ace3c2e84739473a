// How does the driver API launch a kernel in clusters? With cuLaunchKernelEx, whose
// configuration holds the grid, the block, the stream and an array of attributes; one
// of them is the size of a cluster. The arguments are passed as to cuLaunchKernel.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Each block stores its rank in its cluster; one thread in a block.
/// @param ranks  one unsigned for each block in device memory, written
__global__ void note_ranks(unsigned* ranks) {
    ranks[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr unsigned blocks = 8;
    constexpr unsigned cluster_size = 4;
    lockstep::device_buffer<unsigned> d_ranks(blocks);
    d_ranks.fill_bytes(0xFF);
    CUfunction function = nullptr;  // the driver's handle of the runtime's kernel
    lockstep::check(
        cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(note_ranks)));

    // [launch]
    CUlaunchAttribute cluster{};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = cluster_size;
    cluster.value.clusterDim.y = 1;
    cluster.value.clusterDim.z = 1;
    CUlaunchConfig config{};  // no shared memory, the default stream
    config.gridDimX = blocks;
    config.gridDimY = 1;
    config.gridDimZ = 1;
    config.blockDimX = 1;
    config.blockDimY = 1;
    config.blockDimZ = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
    unsigned* ranks_argument = d_ranks.data();
    void* arguments[] = {&ranks_argument};
    lockstep::check(cuLaunchKernelEx(&config, function, arguments, nullptr));
    // [/launch]

    std::vector<unsigned> expected(blocks);
    for (unsigned block = 0; block < blocks; ++block)
        expected[block] = block % cluster_size;
    const std::size_t wrong = lockstep::count_mismatches(d_ranks.to_host(), expected);
    lockstep::report("blocks", blocks);
    lockstep::report("blocks in a cluster", cluster_size);
    lockstep::report("wrong ranks", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
