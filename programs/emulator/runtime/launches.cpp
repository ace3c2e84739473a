#include "launches.hpp"

#include <algorithm>

#include "kernels.hpp"

namespace emulator {

static bool within(dim3 size, const unsigned (&limit)[3]) {
    return size.x <= limit[0] && size.y <= limit[1] && size.z <= limit[2];
}

static bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

cudaError_t make_launch(const launch_request& wanted, kernel_launch* made) {
    return make_launch(find_kernel(wanted.stub), wanted, made);
}

cudaError_t make_launch(kernel_entry* kernel, const launch_request& wanted, kernel_launch* made) {
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const dim3 grid = wanted.grid, block = wanted.block;
    const dim3 own(kernel->cluster[0], kernel->cluster[1], kernel->cluster[2]);
    dim3 cluster = wanted.cluster;
    if (volume(cluster) == 0) cluster = own;
    if (volume(cluster) == 0) cluster = dim3(1);
    if (volume(own) != 0 && !same(own, cluster)) return cudaErrorInvalidClusterSize;
    if (volume(grid) == 0 || volume(block) == 0 || !within(grid, hardware::max_grid_size) ||
        !within(block, hardware::max_block_size) || volume(block) > hardware::max_threads_per_block)
        return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(bounded_threads(*kernel))) return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(max_threads(*kernel))) return cudaErrorLaunchOutOfResources;
    if (!shared_fits(*kernel, wanted.shared)) return cudaErrorInvalidValue;
    const uint64_t blocks = volume(cluster);
    if (blocks > 1) {
        if (blocks > max_cluster_blocks(settings_of(*kernel))) return cudaErrorInvalidClusterSize;
        if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
            return cudaErrorInvalidClusterSize;
    }
    if (wanted.cooperative) {
        const uint64_t resident = uint64_t(hardware::multiprocessors) *
                                  resident_blocks(*kernel, int(volume(block)), wanted.shared);
        if (volume(grid) > resident) return cudaErrorCooperativeLaunchTooLarge;
    }
    if (!wanted.arguments && kernel->sizes[0] >= 0) return cudaErrorInvalidValue;
    *made = {kernel, grid, block, cluster, wanted.shared, wanted.cooperative, {}, wanted.early};
    for (int i = 0; kernel->sizes[i] >= 0; ++i) {
        const auto* begin = static_cast<const unsigned char*>(wanted.arguments[i]);
        made->values.emplace_back(begin, begin + kernel->sizes[i]);
    }
    return cudaSuccess;
}

cudaError_t read_attributes(const cudaLaunchAttribute* attributes, unsigned count,
                            launch_request* wanted) {
    for (unsigned i = 0; i < count; ++i) {
        const cudaLaunchAttributeValue& value = attributes[i].val;
        switch (attributes[i].id) {
            case cudaLaunchAttributeIgnore: break;
            case cudaLaunchAttributeClusterDimension:
                wanted->cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
                break;
            case cudaLaunchAttributeCooperative:
                wanted->cooperative = value.cooperative != 0;
                break;
            case cudaLaunchAttributeProgrammaticStreamSerialization:
                wanted->early = value.programmaticStreamSerializationAllowed != 0;
                break;
            case cudaLaunchAttributeProgrammaticEvent:  // the caller records them
            case cudaLaunchAttributeLaunchCompletionEvent:
            case cudaLaunchAttributePriority:  // these say how fast, not what
            case cudaLaunchAttributePreferredSharedMemoryCarveout:
            case cudaLaunchAttributePreferredClusterDimension:
            case cudaLaunchAttributeClusterSchedulingPolicyPreference:
            case cudaLaunchAttributeSynchronizationPolicy:
            case cudaLaunchAttributeAccessPolicyWindow: break;
            case cudaLaunchAttributeMemSyncDomain:
            case cudaLaunchAttributeMemSyncDomainMap:
                if (const cudaError_t error = check_domain(attributes[i].id, value)) return error;
                wanted->domains[attributes[i].id] = value;
                break;
            default: return cudaErrorNotSupported;
        }
    }
    return cudaSuccess;
}

cudaError_t check_domain(cudaLaunchAttributeID which, const cudaLaunchAttributeValue& value) {
    const cudaLaunchMemSyncDomainMap map = value.memSyncDomainMap;
    const bool right = which == cudaLaunchAttributeMemSyncDomain
                           ? value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
                                 value.memSyncDomain == cudaLaunchMemSyncDomainRemote
                           : std::max(map.default_, map.remote) < hardware::sync_domains;
    return right ? cudaSuccess : cudaErrorInvalidValue;
}

cudaLaunchAttributeValue usual_value(cudaLaunchAttributeID which) {
    cudaLaunchAttributeValue value{};
    if (which == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
    return value;
}

}  // namespace emulator
