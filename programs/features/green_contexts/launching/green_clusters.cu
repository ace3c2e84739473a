// How large may a thread block cluster be in a green context, and how many clusters run
// at the same time? It depends on how the SMs were split. The occupancy calls take the
// context from the stream of the launch.

#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Counts the blocks of each cluster, over distributed shared memory.
/// @param found  one int for each cluster in device memory, written
__global__ void count_blocks(int* found) {
    const auto cluster = cooperative_groups::this_cluster();
    __shared__ int blocks;
    if (threadIdx.x == 0) blocks = 0;
    cluster.sync();
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&blocks, 0), 1);
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        found[blockIdx.x / cluster.num_blocks()] = blocks;
}

int main() {
    lockstep::require_device(90);
    CUdevResource all = lockstep::all_sms();
    // [large]
    lockstep::check(cudaFuncSetAttribute(
        count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    // [/large]
    constexpr int bytes = 128 << 10;  // of shared memory: one block fills an SM
    lockstep::check(cudaFuncSetAttribute(
        count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    constexpr int clusters = 6;
    lockstep::device_buffer<int> found(clusters);
    bool right = true;

    const auto ask = [&](const char* name, cudaStream_t stream) {
        // [occupancy]
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = 1;
        cluster.val.clusterDim.y = 1;
        cluster.val.clusterDim.z = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(clusters * 16);
        config.blockDim = dim3(128);
        config.dynamicSmemBytes = bytes;
        config.stream = stream;  // its context decides
        config.attrs = &cluster;
        config.numAttrs = 1;
        int largest = 0;
        lockstep::check(
            cudaOccupancyMaxPotentialClusterSize(&largest, count_blocks, &config));
        int active[3]{};
        const unsigned sizes[3] = {2, 8, 16};
        for (int i = 0; i < 3; ++i) {
            cluster.val.clusterDim.x = sizes[i];
            if (sizes[i] <= unsigned(largest))
                lockstep::check(
                    cudaOccupancyMaxActiveClusters(&active[i], count_blocks, &config));
        }
        // [/occupancy]

        // [launch]
        cluster.val.clusterDim.x = unsigned(largest);
        config.gridDim = dim3(unsigned(clusters * largest));
        found.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaLaunchKernelEx(&config, count_blocks, found.data()));
        lockstep::check(cudaStreamSynchronize(stream));
        // [/launch]
        for (int blocks : found.to_host()) right = right && blocks == largest;

        // [too-large]
        cluster.val.clusterDim.x = unsigned(2 * largest);
        config.gridDim = cluster.val.clusterDim.x;
        const cudaError_t refused =
            cudaLaunchKernelEx(&config, count_blocks, found.data());
        // [/too-large]
        cudaGetLastError();  // cleared: `refused` keeps the status
        right = right && refused != cudaSuccess;
        std::printf("%-22s%9d%9d%9d%9d\n", name, largest, active[0], active[1],
                    active[2]);
        return refused;
    };

    std::printf("%-22s%9s%9s%9s%9s\n", "", "largest", "of 2", "of 8", "of 16");
    cudaError_t refused = ask("all SMs", nullptr);
    struct {
        const char* name;
        unsigned sms;
        unsigned flags;
    } const splits[] = {
        {"16 SMs", 16, 0},
        {"16, any SMs", 16, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING},
        {"16, largest cluster", 16,
         CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE},
        {"8 SMs", 8, 0},
    };
    for (const auto& split : splits) {
        // [partition]
        CUdevResource part{};
        unsigned count = 1;
        lockstep::check(cuDevSmResourceSplitByCount(&part, &count, &all, nullptr,
                                                    split.flags, split.sms));
        const lockstep::green_context context(&part);
        refused = ask(split.name, context.stream());
        // [/partition]
    }
    std::printf("\n");
    lockstep::report("twice the largest, 8 SMs", cudaGetErrorName(refused));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
