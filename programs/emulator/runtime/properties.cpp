// The emulated device: the limits of an H200, so that programs meet the same borders, under a name
// of its own.

#include "properties.hpp"

#include <algorithm>
#include <cstdio>

namespace emulator {

cudaDeviceProp properties() {
    cudaDeviceProp p{};
    snprintf(p.name, sizeof p.name, "Lockstep emulator");
    p.totalGlobalMem = size_t(std::min<uint64_t>(hardware::global_bytes, SIZE_MAX));
    p.sharedMemPerBlock = hardware::shared_bytes_per_block;
    p.sharedMemPerBlockOptin = hardware::shared_bytes_per_block_opt_in;
    p.sharedMemPerMultiprocessor = hardware::shared_bytes_per_multiprocessor;
    p.reservedSharedMemPerBlock = hardware::shared_bytes_reserved_per_block;
    p.regsPerBlock = hardware::registers_per_block;
    p.regsPerMultiprocessor = hardware::registers_per_multiprocessor;
    p.warpSize = hardware::warp_size;
    p.memPitch = hardware::max_pitch;
    p.maxThreadsPerBlock = int(hardware::max_threads_per_block);
    for (int axis = 0; axis < 3; ++axis) {
        p.maxThreadsDim[axis] = int(hardware::max_block_size[axis]);
        p.maxGridSize[axis] = int(hardware::max_grid_size[axis]);
    }
    p.totalConstMem = hardware::constant_bytes;
    p.major = hardware::capability_major;
    p.minor = hardware::capability_minor;
    p.textureAlignment = hardware::texture_alignment;
    p.multiProcessorCount = hardware::multiprocessors;
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.ECCEnabled = 1;
    p.asyncEngineCount = hardware::copy_engines;
    p.memoryBusWidth = hardware::memory_bus_bits;
    p.l2CacheSize = hardware::l2_cache_bytes;
    p.persistingL2CacheMaxSize = hardware::l2_persisting_bytes;
    p.accessPolicyMaxWindowSize = hardware::l2_window_bytes;
    p.maxThreadsPerMultiProcessor = hardware::max_threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = hardware::max_blocks_per_multiprocessor;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.managedMemory = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = p.clusterLaunch = 1;
    return p;
}

bool attribute(int* value, cudaDeviceAttr which) {
    const cudaDeviceProp p = properties();
    switch (which) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = int(p.sharedMemPerMultiprocessor);
            break;
        case cudaDevAttrReservedSharedMemoryPerBlock:
            *value = int(p.reservedSharedMemPerBlock);
            break;
        case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrClockRate: *value = hardware::clock_khz; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrMemoryClockRate: *value = hardware::memory_clock_khz; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxPersistingL2CacheSize: *value = p.persistingL2CacheMaxSize; break;
        case cudaDevAttrMaxAccessPolicyWindowSize: *value = p.accessPolicyMaxWindowSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrStreamPrioritiesSupported: *value = 1; break;
        case cudaDevAttrManagedMemory: *value = 1; break;
        case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
        case cudaDevAttrPageableMemoryAccess: *value = 0; break;
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables: *value = 0; break;
        case cudaDevAttrDirectManagedMemAccessFromHost: *value = 0; break;
        case cudaDevAttrHostNativeAtomicSupported: *value = 0; break;
        case cudaDevAttrCanUseHostPointerForRegisteredMem: *value = 1; break;
        case cudaDevAttrCanMapHostMemory: *value = 1; break;
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        case cudaDevAttrHostRegisterSupported: *value = 1; break;
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrHostNumaMemoryPoolsSupported:
        case cudaDevAttrHostMemoryPoolsSupported: *value = 1; break;
        case cudaDevAttrMemoryPoolSupportedHandleTypes:
            *value = cudaMemHandleTypePosixFileDescriptor | cudaMemHandleTypeFabric;
            break;
        case cudaDevAttrClusterLaunch: *value = 1; break;
        case cudaDevAttrMemSyncDomainCount: *value = hardware::sync_domains; break;
        case cudaDevAttrHostNumaId:
        case cudaDevAttrHostNumaMultinodeIpcSupported: *value = 0; break;
        case cudaDevAttrMaxTexture1DWidth:
        case cudaDevAttrMaxTexture2DWidth:
        case cudaDevAttrMaxSurface2DWidth: *value = int(hardware::textures::width); break;
        case cudaDevAttrMaxTexture2DHeight:
        case cudaDevAttrMaxSurface2DHeight: *value = int(hardware::textures::height); break;
        case cudaDevAttrMaxTexture2DGatherWidth:
        case cudaDevAttrMaxTexture2DGatherHeight: *value = int(hardware::textures::gathered); break;
        case cudaDevAttrMaxTexture3DWidth:
        case cudaDevAttrMaxTexture3DHeight:
        case cudaDevAttrMaxTexture3DDepth:
        case cudaDevAttrMaxSurface3DWidth:
        case cudaDevAttrMaxSurface3DHeight:
        case cudaDevAttrMaxSurface3DDepth: *value = int(hardware::textures::volume); break;
        case cudaDevAttrMaxTexture1DMipmappedWidth:
        case cudaDevAttrMaxTexture2DMipmappedWidth:
        case cudaDevAttrMaxTexture2DMipmappedHeight:
            *value = int(hardware::textures::mipmapped);
            break;
        case cudaDevAttrMaxTexture1DLayeredWidth:
        case cudaDevAttrMaxTexture2DLayeredWidth:
        case cudaDevAttrMaxTexture2DLayeredHeight: *value = int(hardware::textures::layered); break;
        case cudaDevAttrMaxTexture1DLayeredLayers:
        case cudaDevAttrMaxTexture2DLayeredLayers:
        case cudaDevAttrMaxSurface2DLayeredLayers: *value = int(hardware::textures::layers); break;
        case cudaDevAttrMaxTextureCubemapWidth:
        case cudaDevAttrMaxTextureCubemapLayeredWidth:
        case cudaDevAttrMaxSurfaceCubemapWidth: *value = int(hardware::textures::cube); break;
        case cudaDevAttrMaxTextureCubemapLayeredLayers:
            *value = int(hardware::textures::cube_layers);
            break;
        case cudaDevAttrMaxTexture2DLinearWidth:
            *value = int(hardware::textures::pitched_width);
            break;
        case cudaDevAttrMaxTexture2DLinearHeight:
            *value = int(hardware::textures::pitched_height);
            break;
        case cudaDevAttrMaxTexture2DLinearPitch: *value = int(hardware::textures::pitch); break;
        case cudaDevAttrMaxSurface1DWidth: *value = int(hardware::textures::surface_line); break;
        case cudaDevAttrTextureAlignment:
        case cudaDevAttrSurfaceAlignment: *value = int(hardware::texture_alignment); break;
        case cudaDevAttrTexturePitchAlignment:
            *value = int(hardware::texture_pitch_alignment);
            break;
        case cudaDevAttrIntegrated: *value = 0; break;
        case cudaDevAttrComputeMode: *value = 0; break;
        case cudaDevAttrEccEnabled: *value = 1; break;
        default: return false;
    }
    return true;
}

}  // namespace emulator
