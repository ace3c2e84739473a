// What does a program for DRIVE or Jetson fill in when it imports a buffer and a
// synchronization object of NvSci? The runtime's header declares it on every system, so
// this file is compiled here. The objects exist on those systems only.

#include <cstdio>

#include <cuda_runtime.h>

#include <lockstep/require_device.hpp>

// [buffer]
/// Imports a buffer of NvSciBuf.
/// @param object  an NvSciBufObj, which goes on belonging to the caller
/// @param bytes   its size, as its attributes tell
/// @param data    the mapped buffer, to be freed with cudaFree
cudaExternalMemory_t import_buffer(const void* object, unsigned long long bytes,
                                   void** data) {
    cudaExternalMemoryHandleDesc described{};
    described.type = cudaExternalMemoryHandleTypeNvSciBuf;
    described.handle.nvSciBufObject = object;
    described.size = bytes;
    cudaExternalMemory_t memory = nullptr;
    lockstep::check(cudaImportExternalMemory(&memory, &described));

    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(data, memory, &part));
    return memory;
}
// [/buffer]

// [attributes]
/// Fills the attributes of a synchronization object that CUDA will signal and wait for.
/// @param attributes  an NvSciSyncAttrList, to be reconciled with those of the others
/// @param device      number of the CUDA device
void fill_attributes(void* attributes, int device) {
    lockstep::check(cudaDeviceGetNvSciSyncAttributes(
        attributes, device, cudaNvSciSyncAttrSignal | cudaNvSciSyncAttrWait));
}
// [/attributes]

// [sync]
/// Imports a synchronization object of NvSciSync, once.
/// @param object  an NvSciSyncObj, which goes on belonging to the caller
cudaExternalSemaphore_t import_sync(void* object) {
    cudaExternalSemaphoreHandleDesc described{};
    described.type = cudaExternalSemaphoreHandleTypeNvSciSync;
    described.handle.nvSciSyncObj = object;
    cudaExternalSemaphore_t sync = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&sync, &described));
    return sync;
}

/// Lets a stream wait for a fence of NvSciSync, work, and signal a fence at its end.
/// @param sync    from import_sync()
/// @param before  the NvSciSyncFence to wait for
/// @param after   the NvSciSyncFence that the call fills, for the next one who waits
/// @param stream  of the work between the two
void take_turn(cudaExternalSemaphore_t sync, void* before, void* after,
               cudaStream_t stream) {
    cudaExternalSemaphoreWaitParams wait{};
    wait.params.nvSciSync.fence = before;
    lockstep::check(cudaWaitExternalSemaphoresAsync(&sync, &wait, 1, stream));
    // kernels stand here
    cudaExternalSemaphoreSignalParams signal{};
    signal.params.nvSciSync.fence = after;
    lockstep::check(cudaSignalExternalSemaphoresAsync(&sync, &signal, 1, stream));
}
// [/sync]

int main() {
    lockstep::require_device();
    std::fprintf(stderr,
                 "the objects come from NvSci, which this system does not have\n");
    return lockstep::no_device_status;
}
