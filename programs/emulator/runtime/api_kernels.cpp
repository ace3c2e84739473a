// Attributes of kernels, and how many of their blocks fit.

#include "entry.hpp"
#include "kernels.hpp"
#include "shared_memory.hpp"

using namespace emulator;

template <class F>
static cudaError_t with_kernel(const void* stub, F&& body) {
    return enter([&] {
        kernel_entry* kernel = find_kernel(stub);
        return kernel ? body(*kernel) : cudaErrorInvalidResourceHandle;
    });
}

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute which, int value) {
    return with_kernel(stub, [=](kernel_entry& kernel) {
        kernel_settings& setting = settings_of(kernel);
        switch (which) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                if (value < 0 || size_t(value) + static_shared_bytes(kernel) >
                                     hardware::shared_bytes_per_block_opt_in)
                    return cudaErrorInvalidValue;
                setting.most_dynamic_shared = value;
                setting.opted_in = true;
                return cudaSuccess;
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < -1 || value > 100) return cudaErrorInvalidValue;
                setting.carveout = value;
                return cudaSuccess;
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
                setting.non_portable_cluster = value != 0;
                return cudaSuccess;
            default: return cudaErrorInvalidValue;
        }
    });
}
cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
    return with_kernel(stub, [](kernel_entry&) { return cudaSuccess; });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* found, const void* stub) {
    return with_kernel(stub, [=](kernel_entry& kernel) {
        if (!found) return cudaErrorInvalidValue;
        *found = attributes_of(kernel);
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* stub,
                                           const cudaLaunchConfig_t* config) {
    return with_kernel(stub, [=](kernel_entry& kernel) {
        if (!clusters || !config || (config->numAttrs && !config->attrs))
            return cudaErrorInvalidValue;
        const int blocks =
            resident_blocks(kernel, int(volume(config->blockDim)), config->dynamicSmemBytes);
        uint64_t size = 1;
        for (unsigned i = 0; i < config->numAttrs; ++i)
            if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
                size = uint64_t(config->attrs[i].val.clusterDim.x) *
                       config->attrs[i].val.clusterDim.y * config->attrs[i].val.clusterDim.z;
        if (size > (max_cluster_blocks(settings_of(kernel)))) return cudaErrorInvalidClusterSize;
        *clusters = int(uint64_t(blocks) * hardware::multiprocessors / size);
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int threads, size_t shared,
                                                                   unsigned) {
    return with_kernel(stub, [=](kernel_entry& kernel) {
        if (!blocks || threads <= 0) return cudaErrorInvalidValue;
        *blocks = threads > int(hardware::max_threads_per_block)
                      ? 0
                      : resident_blocks(kernel, threads, shared);
        return cudaSuccess;
    });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub,
                                                          int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, shared, 0);
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* stub,
                                                 const cudaLaunchConfig_t*) {
    return with_kernel(stub, [=](kernel_entry& kernel) {
        if (!size) return cudaErrorInvalidValue;
        *size = int(max_cluster_blocks(settings_of(kernel)));
        return cudaSuccess;
    });
}

}  // extern "C"
