// What does a program for Windows fill in when it imports memory, a fence and a keyed
// mutex of Direct3D? The structures of the CUDA runtime declare all of it on every
// system, so this file is compiled here. It runs on Windows only: the handles come from
// Direct3D. The two functions with a switch name every type that the header declares.

#include <cstdio>

#include <cuda_runtime.h>

#include <lockstep/require_device.hpp>

// [memory-types]
/// The flags that an import of memory needs.
/// @param type       of the handle
/// @param dedicated  whether the allocation was made for one resource
unsigned flags_for(cudaExternalMemoryHandleType type, bool dedicated) {
    switch (type) {
        case cudaExternalMemoryHandleTypeD3D12Resource:  // always dedicated
        case cudaExternalMemoryHandleTypeD3D11Resource:
        case cudaExternalMemoryHandleTypeD3D11ResourceKmt:
            return cudaExternalMemoryDedicated;
        case cudaExternalMemoryHandleTypeOpaqueFd:  // Vulkan: as it was allocated
        case cudaExternalMemoryHandleTypeOpaqueWin32:
        case cudaExternalMemoryHandleTypeOpaqueWin32Kmt:
            return dedicated ? cudaExternalMemoryDedicated : 0;
        case cudaExternalMemoryHandleTypeD3D12Heap:  // for several resources
        case cudaExternalMemoryHandleTypeNvSciBuf: break;
    }
    return 0;
}
// [/memory-types]

// [memory]
/// Imports memory by an NT handle or by a globally shared handle, and maps it.
/// @param type       of the handle
/// @param handle     for Direct3D 12 from ID3D12Device::CreateSharedHandle
/// @param bytes      size of the allocation
/// @param dedicated  whether the allocation was made for one resource
/// @param data       the mapped buffer, to be freed with cudaFree
/// @return the imported memory, to be destroyed after the mapping
cudaExternalMemory_t import_memory(cudaExternalMemoryHandleType type, void* handle,
                                   unsigned long long bytes, bool dedicated,
                                   void** data) {
    cudaExternalMemoryHandleDesc described{};
    described.type = type;
    described.handle.win32.handle = handle;  // or name, and never both
    described.size = bytes;
    described.flags = flags_for(type, dedicated);
    cudaExternalMemory_t memory = nullptr;
    lockstep::check(cudaImportExternalMemory(&memory, &described));

    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(data, memory, &part));
    return memory;
}
// [/memory]

// [import]
/// Imports a fence or a keyed mutex of Direct3D, or a semaphore of Vulkan on Windows.
/// @param type    of the handle
/// @param handle  an NT handle or a globally shared handle, as the type says
cudaExternalSemaphore_t import_semaphore(cudaExternalSemaphoreHandleType type,
                                         void* handle) {
    cudaExternalSemaphoreHandleDesc described{};
    described.type = type;
    described.handle.win32.handle = handle;
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &described));
    return semaphore;
}
// [/import]

// [semaphore-types]
/// What a stream waits for: the structure for cudaWaitExternalSemaphoresAsync.
/// @param type    of the imported handle
/// @param number  value of a fence or timeline, or key of a mutex; otherwise unused
cudaExternalSemaphoreWaitParams wait_for(cudaExternalSemaphoreHandleType type,
                                         unsigned long long number) {
    cudaExternalSemaphoreWaitParams wait{};
    switch (type) {
        case cudaExternalSemaphoreHandleTypeD3D12Fence:
        case cudaExternalSemaphoreHandleTypeD3D11Fence:
        case cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd:
        case cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32:
            wait.params.fence.value = number;
            break;
        case cudaExternalSemaphoreHandleTypeKeyedMutex:
        case cudaExternalSemaphoreHandleTypeKeyedMutexKmt:
            wait.params.keyedMutex.key = number;
            wait.params.keyedMutex.timeoutMs = 0xFFFFFFFF;  // INFINITE of windows.h
            break;
        case cudaExternalSemaphoreHandleTypeOpaqueFd:  // binary: no number
        case cudaExternalSemaphoreHandleTypeOpaqueWin32:
        case cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt:
        case cudaExternalSemaphoreHandleTypeNvSciSync:  // a fence of NvSciSync instead
            break;
    }
    return wait;
}
// [/semaphore-types]

// [fence]
/// Lets a stream wait until Direct3D has raised the fence, work, and raise it again.
/// @param fence   imported, created with D3D12_FENCE_FLAG_SHARED
/// @param value   that the queue of Direct3D signals
/// @param stream  of the work between the two
void take_turn(cudaExternalSemaphore_t fence, unsigned long long value,
               cudaStream_t stream) {
    const auto wait = wait_for(cudaExternalSemaphoreHandleTypeD3D12Fence, value);
    lockstep::check(cudaWaitExternalSemaphoresAsync(&fence, &wait, 1, stream));
    // kernels stand here
    cudaExternalSemaphoreSignalParams signal{};
    signal.params.fence.value = value + 1;
    lockstep::check(cudaSignalExternalSemaphoresAsync(&fence, &signal, 1, stream));
}
// [/fence]

// [mutex]
/// Works on a resource of Direct3D 11 while CUDA holds its keyed mutex.
/// @param mutex        imported from the shared handle of the resource
/// @param acquire_key  that Direct3D released the mutex with
/// @param release_key  that Direct3D will acquire it with
/// @param stream       of the work
void hold_mutex(cudaExternalSemaphore_t mutex, unsigned long long acquire_key,
                unsigned long long release_key, cudaStream_t stream) {
    const auto wait = wait_for(cudaExternalSemaphoreHandleTypeKeyedMutex, acquire_key);
    lockstep::check(cudaWaitExternalSemaphoresAsync(&mutex, &wait, 1, stream));
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
