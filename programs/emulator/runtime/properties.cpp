// The emulated device: the limits of an H200, so that programs meet the same borders, under a name of its own.

#include "properties.hpp"

#include <cstdio>

namespace emulator {

const Limits limits;

cudaDeviceProp properties() {
    cudaDeviceProp p{};
    snprintf(p.name, sizeof p.name, "Lockstep emulator");
    p.totalGlobalMem = limits.global_bytes > SIZE_MAX ? SIZE_MAX : size_t(limits.global_bytes);
    p.sharedMemPerBlock = limits.shared_bytes;
    p.sharedMemPerBlockOptin = limits.shared_bytes_opt_in;
    p.sharedMemPerMultiprocessor = limits.shared_bytes_of_multiprocessor;
    p.reservedSharedMemPerBlock = 1024;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = limits.threads;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.totalConstMem = 65536;
    p.major = 9;
    p.minor = 0;
    p.textureAlignment = 512;
    p.multiProcessorCount = limits.multiprocessors;
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.ECCEnabled = 1;
    p.asyncEngineCount = 3;
    p.memoryBusWidth = 6144;
    p.l2CacheSize = 62914560;
    p.persistingL2CacheMaxSize = 39321600;
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
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
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
        case cudaDevAttrReservedSharedMemoryPerBlock: *value = int(p.reservedSharedMemPerBlock); break;
        case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrClockRate: *value = 1980000; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrMemoryClockRate: *value = 3201000; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
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
        case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
        case cudaDevAttrIntegrated: *value = 0; break;
        case cudaDevAttrComputeMode: *value = 0; break;
        case cudaDevAttrEccEnabled: *value = 1; break;
        default: return false;
    }
    return true;
}

const char* description(cudaError_t error) {
    switch (int(error)) {
        case 0: return "no error";
        case 1: return "invalid argument";
        case 2: return "out of memory";
        case 9: return "invalid configuration argument";
        case 13: return "invalid device symbol";
        case 34: return "CUDA driver is a stub library";
        case 35: return "CUDA driver version is insufficient for CUDA runtime version";
        case 98: return "invalid device function";
        case 100: return "no CUDA-capable device is detected";
        case 101: return "invalid device ordinal";
        case 201: return "invalid device context";
        case 209: return "no kernel image is available for execution on the device";
        case 400: return "invalid resource handle";
        case 500: return "named symbol not found";
        case 600: return "device not ready";
        case 700: return "an illegal memory access was encountered";
        case 701: return "too many resources requested for launch";
        case 702: return "the launch timed out and was terminated";
        case 710: return "device-side assert triggered";
        case 712: return "part or all of the requested memory range is already mapped";
        case 713: return "pointer does not correspond to a registered memory region";
        case 715: return "an illegal instruction was encountered";
        case 716: return "misaligned address";
        case 719: return "unspecified launch failure";
        case 720: return "too many blocks in cooperative launch";
        case 800: return "operation not permitted";
        case 801: return "operation not supported";
        case 900: return "operation not permitted when stream is capturing";
        case 901: return "operation failed due to a previous error during capture";
        case 902: return "operation would result in a merge of separate capture sequences";
        case 903: return "capture was not ended in the same stream as it began";
        case 904: return "capturing stream has unjoined work";
        case 905: return "dependency created on uncaptured work in another stream";
        case 907: return "operation not permitted on an event last recorded in a capturing stream";
        case 912: return "cluster misconfiguration";
        case 999: return "unknown error";
        default: return "unrecognized error code";
    }
}

}  // namespace emulator
