// The size of a cluster can be chosen at each launch. Which sizes are refused, and what
// does the refusal say?

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Each block stores its rank in its cluster.
/// @param ranks  one int for each block in device memory, written
__global__ void store_rank(int* ranks) {
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) ranks[blockIdx.x] = static_cast<int>(cluster.block_rank());
}

/// The same, with a size that is fixed when compiling.
/// @param ranks  one int for each block in device memory, written
__global__ void __cluster_dims__(2, 1, 1) store_rank_in_pairs(int* ranks) {
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) ranks[blockIdx.x] = static_cast<int>(cluster.block_rank());
}
// [/kernels]

// [launch]
/// Launches blocks in clusters of a size.
/// @return what the launch says
cudaError_t launch(void (*kernel)(int*), unsigned blocks, unsigned cluster,
                   int* ranks) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, ranks);
}
// [/launch]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 16;
    lockstep::device_buffer<int> d_ranks(blocks);
    bool right = true;
    for (const int size : {1, 2, 4, 8}) {
        lockstep::check(launch(store_rank, blocks, size, d_ranks.data()));
        std::vector<int> expected(blocks);
        for (int i = 0; i < blocks; ++i) expected[i] = i % size;
        const bool as_expected =
            lockstep::count_mismatches(d_ranks.to_host(), expected) == 0;
        std::printf("clusters of %d               ranks 0 to %d%s\n", size, size - 1,
                    as_expected ? "" : ", wrong");
        right = right && as_expected;
    }
    const struct {
        const char* what;
        cudaError_t error;
    } refused[] = {
        {"6 blocks, clusters of 4", launch(store_rank, 6, 4, d_ranks.data())},
        {"16 blocks, clusters of 16", launch(store_rank, 16, 16, d_ranks.data())},
        {"__cluster_dims__ 2, asked 4",
         launch(store_rank_in_pairs, 16, 4, d_ranks.data())}};
    for (const auto& [what, error] : refused) {
        lockstep::report(what, cudaGetErrorName(error));
        right = right && error != cudaSuccess;
    }
    cudaGetLastError();  // the refusals are looked at above
    const cudaError_t same = launch(store_rank_in_pairs, 16, 2, d_ranks.data());
    lockstep::report("__cluster_dims__ 2, asked 2", cudaGetErrorName(same));
    return right && same == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
