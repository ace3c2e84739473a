#include "launches.hpp"

#include <algorithm>

#include "error_log.hpp"
#include "kernels.hpp"
#include "running_launch.hpp"
#include "shared_memory.hpp"

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
    if (!within(block, hardware::max_block_size))
        return log_refusal(cudaErrorInvalidValue,
                           "One or more of block dimensions of " +
                               triple({block.x, block.y, block.z}) +
                               " exceeds correspsonding maximum value of (1024,1024,64)");
    if (volume(grid) == 0 || volume(block) == 0 || !within(grid, hardware::max_grid_size) ||
        !within(block, hardware::max_block_size) || volume(block) > hardware::max_threads_per_block)
        return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(bounded_threads(*kernel))) return cudaErrorInvalidValue;
    if (volume(block) > uint64_t(max_threads(*kernel))) return cudaErrorLaunchOutOfResources;
    if (const size_t most = size_t(settings_of(*kernel).most_dynamic_shared);
        wanted.shared > most && static_shared_bytes(*kernel) == 0)
        return log_refusal(cudaErrorInvalidValue,
                           "Requested dynamic shared memory size of " +
                               std::to_string(wanted.shared) +
                               " bytes exceeds maximum dynamic shared memory size of " +
                               std::to_string(most) + " bytes");
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
            case cudaLaunchAttributeSynchronizationPolicy: break;
            case cudaLaunchAttributeMemSyncDomain:
            case cudaLaunchAttributeMemSyncDomainMap:
            case cudaLaunchAttributeAccessPolicyWindow:
                if (const cudaError_t error = check_of_memory(attributes[i].id, value))
                    return error;
                wanted->of_memory[attributes[i].id] = value;
                break;
            default: return cudaErrorNotSupported;
        }
    }
    return cudaSuccess;
}

bool is_of_memory(cudaLaunchAttributeID which) {
    return which == cudaLaunchAttributeMemSyncDomain ||
           which == cudaLaunchAttributeMemSyncDomainMap ||
           which == cudaLaunchAttributeAccessPolicyWindow;
}

static bool is_right(cudaLaunchAttributeID which, const cudaLaunchAttributeValue& value) {
    if (which == cudaLaunchAttributeMemSyncDomain)
        return value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
               value.memSyncDomain == cudaLaunchMemSyncDomainRemote;
    if (which == cudaLaunchAttributeMemSyncDomainMap)
        return std::max(value.memSyncDomainMap.default_, value.memSyncDomainMap.remote) <
               hardware::sync_domains;
    const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
    return window.num_bytes <= size_t(hardware::l2_window_bytes) && window.hitRatio >= 0 &&
           window.hitRatio <= 1 && window.missProp != cudaAccessPropertyPersisting;
}

cudaError_t check_of_memory(cudaLaunchAttributeID which, const cudaLaunchAttributeValue& value) {
    return is_right(which, value) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaLaunchAttributeValue usual_value(cudaLaunchAttributeID which) {
    cudaLaunchAttributeValue value{};
    if (which == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
    return value;
}

}  // namespace emulator
