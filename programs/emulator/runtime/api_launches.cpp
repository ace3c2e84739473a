// Launches of kernels.

#include <utility>

#include "captures.hpp"
#include "kernels.hpp"

using namespace emulator;

static bool within(dim3 size, const unsigned (&limit)[3]) {
    return size.x <= limit[0] && size.y <= limit[1] && size.z <= limit[2];
}

// What the hardware allows; the driver answers most of these with an invalid value.
static cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared,
                          device_stream& stream, dim3 cluster, bool cooperative) {
    kernel_entry* kernel = find_kernel(stub);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const dim3 own(kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]);
    if (volume(cluster) == 0) cluster = own;
    if (volume(cluster) == 0) cluster = dim3(1);
    if (volume(own) != 0 && (own.x != cluster.x || own.y != cluster.y || own.z != cluster.z))
        return cudaErrorInvalidClusterSize;
    if (volume(grid) == 0 || volume(block) == 0 || !within(grid, hardware::max_grid_size) ||
        !within(block, hardware::max_block_size) || volume(block) > hardware::max_threads_per_block)
        return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(bounded_threads(*kernel))) return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(max_threads(*kernel))) return cudaErrorLaunchOutOfResources;
    const kernel_settings& setting = settings_of(*kernel);
    if (!shared_fits(*kernel, shared)) return cudaErrorInvalidValue;
    const uint64_t blocks = volume(cluster);
    if (blocks > 1) {
        if (blocks > max_cluster_blocks(setting)) return cudaErrorInvalidClusterSize;
        if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
            return cudaErrorInvalidClusterSize;
    }
    if (cooperative) {
        const uint64_t resident = uint64_t(hardware::multiprocessors) *
                                  resident_blocks(*kernel, int(volume(block)), shared);
        if (volume(grid) > resident) return cudaErrorCooperativeLaunchTooLarge;
    }
    if (!arguments && kernel->sizes[0] >= 0) return cudaErrorInvalidValue;
    kernel_launch made{kernel, grid, block, cluster, shared, cooperative, {}};
    for (int i = 0; kernel->sizes[i] >= 0; ++i) {
        const auto* begin = static_cast<const unsigned char*>(arguments[i]);
        made.values.emplace_back(begin, begin + kernel->sizes[i]);
    }
    enqueue(stream, std::move(made));
    return cudaSuccess;
}

// A launch that is refused spoils the capture that it was meant for.
static cudaError_t launch_in_stream(const void* stub, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t handle, dim3 cluster,
                                    bool cooperative) {
    return in_stream(handle, [=](device_stream& stream) {
        const cudaError_t error =
            launch(stub, grid, block, arguments, shared, stream, cluster, cooperative);
        if (error != cudaSuccess) spoils(stream);
        return error;
    });
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
    return launch_in_stream(stub, grid, block, arguments, shared, stream, dim3(0, 0, 0), false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
    return launch_in_stream(stub, grid, block, arguments, shared, stream, dim3(0, 0, 0), true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub,
                                void** arguments) {
    if (!config || (config->numAttrs && !config->attrs)) return refuse(cudaErrorInvalidValue);
    dim3 cluster(0, 0, 0);
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        switch (attribute.id) {
            case cudaLaunchAttributeIgnore: break;
            case cudaLaunchAttributeClusterDimension:
                cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                               attribute.val.clusterDim.z);
                break;
            case cudaLaunchAttributeCooperative:
                cooperative = attribute.val.cooperative != 0;
                break;
            case cudaLaunchAttributePriority:  // these say how fast, not what
            case cudaLaunchAttributePreferredSharedMemoryCarveout:
            case cudaLaunchAttributePreferredClusterDimension:
            case cudaLaunchAttributeClusterSchedulingPolicyPreference:
            case cudaLaunchAttributeSynchronizationPolicy:
            case cudaLaunchAttributeAccessPolicyWindow:
            case cudaLaunchAttributeMemSyncDomain: break;
            default: return enter([] { return cudaErrorNotSupported; });
        }
    }
    return launch_in_stream(stub, config->gridDim, config->blockDim, arguments,
                            config->dynamicSmemBytes, config->stream, cluster, cooperative);
}

}  // extern "C"
