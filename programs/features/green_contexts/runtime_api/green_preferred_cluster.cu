// Can a green context leave room for clusters of a preferred size? Its group says so
// when it is split: clusters of 2 must fit, and sets of SMs for clusters of 4 are
// welcome. The launch then names both sizes, too.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Notes the size of the cluster of each block.
/// @param sizes  one int for each block in device memory, written
__global__ void note_size(int* sizes) {
    if (threadIdx.x == 0)
        sizes[blockIdx.x] = int(cooperative_groups::this_cluster().num_blocks());
}

int main() {
    lockstep::require_device(100);
    lockstep::check(cudaSetDevice(0));
    cudaDevResource all{};
    lockstep::check(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));

    // [split]
    cudaDevSmResourceGroupParams params{};
    params.smCount = 16;
    params.coscheduledSmCount = 2;
    params.preferredCoscheduledSmCount = 4;
    cudaDevResource part{};
    lockstep::check(cudaDevSmResourceSplit(&part, 1, &all, nullptr, 0, &params));
    // [/split]
    cudaDevResourceDesc_t descriptor = nullptr;
    cudaExecutionContext_t context = nullptr;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaDevResourceGenerateDesc(&descriptor, &part, 1));
    lockstep::check(cudaGreenCtxCreate(&context, descriptor, 0, 0));
    lockstep::check(
        cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0));

    constexpr int blocks = 400;
    lockstep::device_buffer<int> d_sizes(std::vector<int>(blocks, 0));
    // [launch]
    cudaLaunchAttributeValue at_least{};
    at_least.clusterDim = {2, 1, 1};
    cudaLaunchAttributeValue rather{};
    rather.preferredClusterDim = {4, 1, 1};
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val = at_least;
    attributes[1].id = cudaLaunchAttributePreferredClusterDimension;
    attributes[1].val = rather;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = 2;
    lockstep::check(cudaLaunchKernelEx(&config, note_size, d_sizes.data()));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/launch]

    int twos = 0;
    int fours = 0;
    for (const int size : d_sizes.to_host()) {
        twos += size == 2;
        fours += size == 4;
    }
    lockstep::report("blocks in clusters of 2", lockstep::counted{twos});
    lockstep::report("blocks in clusters of 4", lockstep::counted{fours});
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaExecutionCtxDestroy(context));
    return twos + fours == blocks ? EXIT_SUCCESS : EXIT_FAILURE;
}
