// Who owns a file descriptor after an import, and what does CUDA refuse? An imported
// descriptor belongs to CUDA, so a second import needs a second export. Sizes
// beyond the allocation and descriptors of other things are refused.

#include <cstdlib>

#include <fcntl.h>

#include <cuda_runtime.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_device.hpp>

/// Whether the number stands for an open file of this process.
bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    const lockstep::vulkan_device device;
    const lockstep::vulkan_buffer shared(device, 4 << 20, true);

    // [owner]
    cudaExternalMemoryHandleDesc handle{};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = shared.file_descriptor();
    handle.size = shared.allocated();
    const bool before = is_open(handle.handle.fd);
    cudaExternalMemory_t memory = nullptr;
    lockstep::check(cudaImportExternalMemory(&memory, &handle));
    const bool after = is_open(handle.handle.fd);

    cudaExternalMemoryHandleDesc again = handle;
    again.handle.fd = shared.file_descriptor();  // a second export
    cudaExternalMemory_t second = nullptr;
    const cudaError_t twice = cudaImportExternalMemory(&second, &again);
    // [/owner]
    lockstep::report("open before the import", before);
    lockstep::report("open after the import", after);
    lockstep::report("a second export, imported", cudaGetErrorName(twice));
    const bool same = twice == cudaSuccess;
    if (same) lockstep::check(cudaDestroyExternalMemory(second));

    bool all_refused = true;
    const auto refused = [&](const char* label, cudaError_t error) {
        lockstep::report(label, cudaGetErrorName(error));
        all_refused = all_refused && error != cudaSuccess;
        cudaGetLastError();  // so that no later check finds it
    };
    // [refused]
    cudaExternalMemory_t other = nullptr;
    cudaExternalMemoryHandleDesc wrong = handle;
    wrong.handle.fd = -1;
    refused("no file descriptor", cudaImportExternalMemory(&other, &wrong));
    wrong.handle.fd = open("/dev/null", O_RDWR);
    refused("descriptor of a file", cudaImportExternalMemory(&other, &wrong));
    const bool kept = is_open(wrong.handle.fd);  // still the program's?
    cudaExternalMemoryBufferDesc part{};
    part.size = 2 * handle.size;
    void* pointer = nullptr;
    refused("map: twice the size",
            cudaExternalMemoryGetMappedBuffer(&pointer, memory, &part));
    part.size = handle.size;
    part.offset = handle.size;
    refused("map: after the end",
            cudaExternalMemoryGetMappedBuffer(&pointer, memory, &part));
    // [/refused]
    lockstep::report("open after the refusal", kept);
    lockstep::check(cudaDestroyExternalMemory(memory));
    return before && !after && same && all_refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
