// What does the driver say about this GPU? The program asks for every attribute of the
// enumeration cudaDeviceAttr, without the reserved ones, and prints number, name and
// value. An attribute that the driver does not know would be an error.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

/// An attribute, and its name without "cudaDevAttr".
struct named_attribute {
    const char* name;          ///< as in the enumeration
    cudaDeviceAttr attribute;  ///< what cudaDeviceGetAttribute takes
};

constexpr named_attribute attributes[] = {
    {"MaxThreadsPerBlock", cudaDevAttrMaxThreadsPerBlock},
    {"MaxBlockDimX", cudaDevAttrMaxBlockDimX},
    {"MaxBlockDimY", cudaDevAttrMaxBlockDimY},
    {"MaxBlockDimZ", cudaDevAttrMaxBlockDimZ},
    {"MaxGridDimX", cudaDevAttrMaxGridDimX},
    {"MaxGridDimY", cudaDevAttrMaxGridDimY},
    {"MaxGridDimZ", cudaDevAttrMaxGridDimZ},
    {"MaxSharedMemoryPerBlock", cudaDevAttrMaxSharedMemoryPerBlock},
    {"TotalConstantMemory", cudaDevAttrTotalConstantMemory},
    {"WarpSize", cudaDevAttrWarpSize},
    {"MaxPitch", cudaDevAttrMaxPitch},
    {"MaxRegistersPerBlock", cudaDevAttrMaxRegistersPerBlock},
    {"ClockRate", cudaDevAttrClockRate},
    {"TextureAlignment", cudaDevAttrTextureAlignment},
    {"GpuOverlap", cudaDevAttrGpuOverlap},
    {"MultiProcessorCount", cudaDevAttrMultiProcessorCount},
    {"KernelExecTimeout", cudaDevAttrKernelExecTimeout},
    {"Integrated", cudaDevAttrIntegrated},
    {"CanMapHostMemory", cudaDevAttrCanMapHostMemory},
    {"ComputeMode", cudaDevAttrComputeMode},
    {"MaxTexture1DWidth", cudaDevAttrMaxTexture1DWidth},
    {"MaxTexture2DWidth", cudaDevAttrMaxTexture2DWidth},
    {"MaxTexture2DHeight", cudaDevAttrMaxTexture2DHeight},
    {"MaxTexture3DWidth", cudaDevAttrMaxTexture3DWidth},
    {"MaxTexture3DHeight", cudaDevAttrMaxTexture3DHeight},
    {"MaxTexture3DDepth", cudaDevAttrMaxTexture3DDepth},
    {"MaxTexture2DLayeredWidth", cudaDevAttrMaxTexture2DLayeredWidth},
    {"MaxTexture2DLayeredHeight", cudaDevAttrMaxTexture2DLayeredHeight},
    {"MaxTexture2DLayeredLayers", cudaDevAttrMaxTexture2DLayeredLayers},
    {"SurfaceAlignment", cudaDevAttrSurfaceAlignment},
    {"ConcurrentKernels", cudaDevAttrConcurrentKernels},
    {"EccEnabled", cudaDevAttrEccEnabled},
    {"PciBusId", cudaDevAttrPciBusId},
    {"PciDeviceId", cudaDevAttrPciDeviceId},
    {"TccDriver", cudaDevAttrTccDriver},
    {"MemoryClockRate", cudaDevAttrMemoryClockRate},
    {"GlobalMemoryBusWidth", cudaDevAttrGlobalMemoryBusWidth},
    {"L2CacheSize", cudaDevAttrL2CacheSize},
    {"MaxThreadsPerMultiProcessor", cudaDevAttrMaxThreadsPerMultiProcessor},
    {"AsyncEngineCount", cudaDevAttrAsyncEngineCount},
    {"UnifiedAddressing", cudaDevAttrUnifiedAddressing},
    {"MaxTexture1DLayeredWidth", cudaDevAttrMaxTexture1DLayeredWidth},
    {"MaxTexture1DLayeredLayers", cudaDevAttrMaxTexture1DLayeredLayers},
    {"MaxTexture2DGatherWidth", cudaDevAttrMaxTexture2DGatherWidth},
    {"MaxTexture2DGatherHeight", cudaDevAttrMaxTexture2DGatherHeight},
    {"MaxTexture3DWidthAlt", cudaDevAttrMaxTexture3DWidthAlt},
    {"MaxTexture3DHeightAlt", cudaDevAttrMaxTexture3DHeightAlt},
    {"MaxTexture3DDepthAlt", cudaDevAttrMaxTexture3DDepthAlt},
    {"PciDomainId", cudaDevAttrPciDomainId},
    {"TexturePitchAlignment", cudaDevAttrTexturePitchAlignment},
    {"MaxTextureCubemapWidth", cudaDevAttrMaxTextureCubemapWidth},
    {"MaxTextureCubemapLayeredWidth", cudaDevAttrMaxTextureCubemapLayeredWidth},
    {"MaxTextureCubemapLayeredLayers", cudaDevAttrMaxTextureCubemapLayeredLayers},
    {"MaxSurface1DWidth", cudaDevAttrMaxSurface1DWidth},
    {"MaxSurface2DWidth", cudaDevAttrMaxSurface2DWidth},
    {"MaxSurface2DHeight", cudaDevAttrMaxSurface2DHeight},
    {"MaxSurface3DWidth", cudaDevAttrMaxSurface3DWidth},
    {"MaxSurface3DHeight", cudaDevAttrMaxSurface3DHeight},
    {"MaxSurface3DDepth", cudaDevAttrMaxSurface3DDepth},
    {"MaxSurface1DLayeredWidth", cudaDevAttrMaxSurface1DLayeredWidth},
    {"MaxSurface1DLayeredLayers", cudaDevAttrMaxSurface1DLayeredLayers},
    {"MaxSurface2DLayeredWidth", cudaDevAttrMaxSurface2DLayeredWidth},
    {"MaxSurface2DLayeredHeight", cudaDevAttrMaxSurface2DLayeredHeight},
    {"MaxSurface2DLayeredLayers", cudaDevAttrMaxSurface2DLayeredLayers},
    {"MaxSurfaceCubemapWidth", cudaDevAttrMaxSurfaceCubemapWidth},
    {"MaxSurfaceCubemapLayeredWidth", cudaDevAttrMaxSurfaceCubemapLayeredWidth},
    {"MaxSurfaceCubemapLayeredLayers", cudaDevAttrMaxSurfaceCubemapLayeredLayers},
    {"MaxTexture1DLinearWidth", cudaDevAttrMaxTexture1DLinearWidth},
    {"MaxTexture2DLinearWidth", cudaDevAttrMaxTexture2DLinearWidth},
    {"MaxTexture2DLinearHeight", cudaDevAttrMaxTexture2DLinearHeight},
    {"MaxTexture2DLinearPitch", cudaDevAttrMaxTexture2DLinearPitch},
    {"MaxTexture2DMipmappedWidth", cudaDevAttrMaxTexture2DMipmappedWidth},
    {"MaxTexture2DMipmappedHeight", cudaDevAttrMaxTexture2DMipmappedHeight},
    {"ComputeCapabilityMajor", cudaDevAttrComputeCapabilityMajor},
    {"ComputeCapabilityMinor", cudaDevAttrComputeCapabilityMinor},
    {"MaxTexture1DMipmappedWidth", cudaDevAttrMaxTexture1DMipmappedWidth},
    {"StreamPrioritiesSupported", cudaDevAttrStreamPrioritiesSupported},
    {"GlobalL1CacheSupported", cudaDevAttrGlobalL1CacheSupported},
    {"LocalL1CacheSupported", cudaDevAttrLocalL1CacheSupported},
    {"MaxSharedMemoryPerMultiprocessor", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {"MaxRegistersPerMultiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor},
    {"ManagedMemory", cudaDevAttrManagedMemory},
    {"IsMultiGpuBoard", cudaDevAttrIsMultiGpuBoard},
    {"MultiGpuBoardGroupID", cudaDevAttrMultiGpuBoardGroupID},
    {"HostNativeAtomicSupported", cudaDevAttrHostNativeAtomicSupported},
    {"SingleToDoublePrecisionPerfRatio", cudaDevAttrSingleToDoublePrecisionPerfRatio},
    {"PageableMemoryAccess", cudaDevAttrPageableMemoryAccess},
    {"ConcurrentManagedAccess", cudaDevAttrConcurrentManagedAccess},
    {"ComputePreemptionSupported", cudaDevAttrComputePreemptionSupported},
    {"CanUseHostPointerForRegisteredMem", cudaDevAttrCanUseHostPointerForRegisteredMem},
    {"CooperativeLaunch", cudaDevAttrCooperativeLaunch},
    {"MaxSharedMemoryPerBlockOptin", cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {"CanFlushRemoteWrites", cudaDevAttrCanFlushRemoteWrites},
    {"HostRegisterSupported", cudaDevAttrHostRegisterSupported},
    {"PageableMemoryAccessUsesHostPageTables",
     cudaDevAttrPageableMemoryAccessUsesHostPageTables},
    {"DirectManagedMemAccessFromHost", cudaDevAttrDirectManagedMemAccessFromHost},
    {"MaxBlocksPerMultiprocessor", cudaDevAttrMaxBlocksPerMultiprocessor},
    {"MaxPersistingL2CacheSize", cudaDevAttrMaxPersistingL2CacheSize},
    {"MaxAccessPolicyWindowSize", cudaDevAttrMaxAccessPolicyWindowSize},
    {"SparseCudaArraySupported", cudaDevAttrSparseCudaArraySupported},
    {"HostRegisterReadOnlySupported", cudaDevAttrHostRegisterReadOnlySupported},
    {"TimelineSemaphoreInteropSupported", cudaDevAttrTimelineSemaphoreInteropSupported},
    {"MemoryPoolsSupported", cudaDevAttrMemoryPoolsSupported},
    {"GPUDirectRDMASupported", cudaDevAttrGPUDirectRDMASupported},
    {"GPUDirectRDMAFlushWritesOptions", cudaDevAttrGPUDirectRDMAFlushWritesOptions},
    {"GPUDirectRDMAWritesOrdering", cudaDevAttrGPUDirectRDMAWritesOrdering},
    {"MemoryPoolSupportedHandleTypes", cudaDevAttrMemoryPoolSupportedHandleTypes},
    {"ClusterLaunch", cudaDevAttrClusterLaunch},
    {"DeferredMappingCudaArraySupported", cudaDevAttrDeferredMappingCudaArraySupported},
    {"IpcEventSupport", cudaDevAttrIpcEventSupport},
    {"MemSyncDomainCount", cudaDevAttrMemSyncDomainCount},
    {"NumaConfig", cudaDevAttrNumaConfig},
    {"NumaId", cudaDevAttrNumaId},
    {"MpsEnabled", cudaDevAttrMpsEnabled},
    {"HostNumaId", cudaDevAttrHostNumaId},
    {"D3D12CigSupported", cudaDevAttrD3D12CigSupported},
    {"VulkanCigSupported", cudaDevAttrVulkanCigSupported},
    {"GpuPciDeviceId", cudaDevAttrGpuPciDeviceId},
    {"GpuPciSubsystemId", cudaDevAttrGpuPciSubsystemId},
    {"HostNumaMemoryPoolsSupported", cudaDevAttrHostNumaMemoryPoolsSupported},
    {"HostNumaMultinodeIpcSupported", cudaDevAttrHostNumaMultinodeIpcSupported},
    {"HostMemoryPoolsSupported", cudaDevAttrHostMemoryPoolsSupported},
    {"OnlyPartialHostNativeAtomicSupported",
     cudaDevAttrOnlyPartialHostNativeAtomicSupported},
};

int main() {
    lockstep::require_device();

    int unknown = 0;
    // [ask]
    std::printf("%-4s%-42s%s\n", "", "cudaDevAttr...", "value");
    for (const auto& [name, attribute] : attributes) {
        int value = 0;
        const cudaError_t status = cudaDeviceGetAttribute(&value, attribute, 0);
        std::printf("%-4d%-42s", attribute, name);
        if (status == cudaSuccess)
            std::printf("%d\n", value);
        else
            std::printf("%s\n", cudaGetErrorName(status));
        unknown += status != cudaSuccess;
    }
    // [/ask]
    std::printf("%-46s%d\n", "attributes that the driver does not know", unknown);
    return unknown == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
