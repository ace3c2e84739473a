// What does a program for Windows fill in when it imports memory, a fence and a keyed
// mutex of Direct3D? The structures of the CUDA runtime declare all of it on every
// system, so this file is compiled here. It runs on Windows only: the handles come from
// Direct3D.

#include <cstdio>

#include <cuda_runtime.h>

#include <lockstep/device.hpp>

// [memory]
/// Imports a committed resource of Direct3D 12, created with D3D12_HEAP_FLAG_SHARED.
/// @param handle  from ID3D12Device::CreateSharedHandle; the caller closes it later
/// @param bytes   size of the allocation
/// @param data    the mapped buffer, to be freed with cudaFree
/// @return the imported memory, to be destroyed after the mapping
cudaExternalMemory_t import_resource(void* handle, unsigned long long bytes,
                                     void** data) {
    cudaExternalMemoryHandleDesc described{};
    described.type = cudaExternalMemoryHandleTypeD3D12Resource;
    described.handle.win32.handle = handle;  // or name, and never both
    described.size = bytes;
    described.flags = cudaExternalMemoryDedicated;  // required for committed resources
    cudaExternalMemory_t memory = nullptr;
    lockstep::check(cudaImportExternalMemory(&memory, &described));

    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(data, memory, &part));
    return memory;
}
// [/memory]

// [fence]
/// Imports a fence of Direct3D 12, created with D3D12_FENCE_FLAG_SHARED.
/// @param handle  from ID3D12Device::CreateSharedHandle; the caller closes it later
cudaExternalSemaphore_t import_fence(void* handle) {
    cudaExternalSemaphoreHandleDesc described{};
    described.type = cudaExternalSemaphoreHandleTypeD3D12Fence;
    described.handle.win32.handle = handle;
    cudaExternalSemaphore_t fence = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&fence, &described));
    return fence;
}

/// Lets a stream wait until Direct3D has raised the fence, work, and raise it again.
/// @param fence   from import_fence()
/// @param value   that the queue of Direct3D signals
/// @param stream  of the work between the two
void take_turn(cudaExternalSemaphore_t fence, unsigned long long value,
               cudaStream_t stream) {
    cudaExternalSemaphoreWaitParams wait{};
    wait.params.fence.value = value;
    lockstep::check(cudaWaitExternalSemaphoresAsync(&fence, &wait, 1, stream));
    // kernels stand here
    cudaExternalSemaphoreSignalParams signal{};
    signal.params.fence.value = value + 1;
    lockstep::check(cudaSignalExternalSemaphoresAsync(&fence, &signal, 1, stream));
}
// [/fence]

// [mutex]
/// Imports the keyed mutex of a resource of Direct3D 11.
/// @param handle  of the resource, from IDXGIResource1::CreateSharedHandle
cudaExternalSemaphore_t import_mutex(void* handle) {
    cudaExternalSemaphoreHandleDesc described{};
    described.type = cudaExternalSemaphoreHandleTypeKeyedMutex;
    described.handle.win32.handle = handle;
    cudaExternalSemaphore_t mutex = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&mutex, &described));
    return mutex;
}

/// Works on the resource while CUDA holds its mutex.
/// @param mutex        from import_mutex()
/// @param acquire_key  that Direct3D released the mutex with
/// @param release_key  that Direct3D will acquire it with
/// @param stream       of the work
void hold_mutex(cudaExternalSemaphore_t mutex, unsigned long long acquire_key,
                unsigned long long release_key, cudaStream_t stream) {
    cudaExternalSemaphoreWaitParams acquire{};
    acquire.params.keyedMutex.key = acquire_key;
    acquire.params.keyedMutex.timeoutMs = 0xFFFFFFFF;  // INFINITE
    lockstep::check(cudaWaitExternalSemaphoresAsync(&mutex, &acquire, 1, stream));
    // kernels stand here
    cudaExternalSemaphoreSignalParams release{};
    release.params.keyedMutex.key = release_key;
    lockstep::check(cudaSignalExternalSemaphoresAsync(&mutex, &release, 1, stream));
}
// [/mutex]

int main() {
    lockstep::require_device();
    std::fprintf(stderr, "the handles come from Direct3D, which is part of Windows\n");
    return lockstep::no_device_status;
}
