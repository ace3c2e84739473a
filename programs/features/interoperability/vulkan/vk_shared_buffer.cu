// How do a kernel and Vulkan work on one buffer? Vulkan allocates memory that can be
// exported, and CUDA imports it. A timeline semaphore orders the two: the kernel's
// stream raises it to 1, the queue waits for 1, copies, and raises it to 2, and the
// stream waits for 2. The host only submits the work.

#include <cstdint>
#include <cstdlib>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_commands.hpp>
#include <lockstep/vulkan_device.hpp>
#include <lockstep/vulkan_semaphore.hpp>

/// Writes i * factor into each element.
/// @param n       number of elements
/// @param factor  of the values
/// @param x       n ints, written
__global__ void multiples(int n, int factor, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i * factor;
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_commands pool(device);
    constexpr int n = 1'000'000;
    constexpr std::size_t bytes = n * sizeof(int);

    // [export]
    auto external = lockstep::vulkan_structure<VkExternalMemoryBufferCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    auto create = lockstep::vulkan_structure<VkBufferCreateInfo>(
        VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    create.pNext = &external;
    create.size = bytes;
    create.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    lockstep::check(vkCreateBuffer(device, &create, nullptr, &buffer));
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device, buffer, &needs);

    auto exported = lockstep::vulkan_structure<VkExportMemoryAllocateInfo>(
        VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    auto allocate = lockstep::vulkan_structure<VkMemoryAllocateInfo>(
        VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.pNext = &exported;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = device.gpu().memory_type(
        needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    lockstep::check(vkAllocateMemory(device, &allocate, nullptr, &memory));
    lockstep::check(vkBindBufferMemory(device, buffer, memory, 0));

    auto wanted = lockstep::vulkan_structure<VkMemoryGetFdInfoKHR>(
        VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    wanted.memory = memory;
    wanted.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    int descriptor = -1;
    lockstep::check(device.function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(
        device, &wanted, &descriptor));
    // [/export]

    // [import]
    cudaExternalMemoryHandleDesc handle{};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = descriptor;  // belongs to CUDA from now on
    handle.size = needs.size;       // of the allocation, not of the buffer
    cudaExternalMemory_t imported = nullptr;
    lockstep::check(cudaImportExternalMemory(&imported, &handle));
    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    int* x = nullptr;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(reinterpret_cast<void**>(&x),
                                                      imported, &part));
    // [/import]

    // [semaphore]
    const lockstep::vulkan_semaphore timeline(device, VK_SEMAPHORE_TYPE_TIMELINE);
    cudaExternalSemaphoreHandleDesc semaphore_handle{};
    semaphore_handle.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    semaphore_handle.handle.fd = timeline.file_descriptor();
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &semaphore_handle));
    // [/semaphore]

    const lockstep::vulkan_buffer result(device, bytes, false);  // the host reads it
    // [commands]
    VkCommandBuffer copy = pool.record([&](VkCommandBuffer commands) {
        pool.take(commands, buffer);  // from CUDA
        const VkBufferCopy all{0, 0, bytes};
        vkCmdCopyBuffer(commands, buffer, result, 1, &all);
        pool.give(commands, buffer);  // to CUDA
        pool.show_host(commands);     // the result, once the host has waited
    });
    // [/commands]
    lockstep::owned_stream stream;

    // [cuda-first]
    multiples<<<(n + 255) / 256, 256, 0, stream>>>(n, 3, x);
    lockstep::check(cudaGetLastError());
    cudaExternalSemaphoreSignalParams signal{};
    signal.params.fence.value = 1;
    lockstep::check(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
    // [/cuda-first]

    // [vulkan-second]
    const std::uint64_t from = 1, to = 2;
    auto values = lockstep::vulkan_structure<VkTimelineSemaphoreSubmitInfo>(
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &from;
    values.pSignalSemaphoreValues = &to;
    const VkSemaphore both = timeline;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    auto submit =
        lockstep::vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.pNext = &values;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
    submit.pWaitSemaphores = submit.pSignalSemaphores = &both;
    submit.pWaitDstStageMask = &stage;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &copy;
    lockstep::check(vkQueueSubmit(device.queue(), 1, &submit, VK_NULL_HANDLE));
    // [/vulkan-second]

    // [cuda-third]
    cudaExternalSemaphoreWaitParams wait{};
    wait.params.fence.value = 2;
    lockstep::check(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
    multiples<<<(n + 255) / 256, 256, 0, stream>>>(n, 5, x);  // Vulkan has read them
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    // [/cuda-third]

    // [host]
    auto wait_on_host = lockstep::vulkan_structure<VkSemaphoreWaitInfo>(
        VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    wait_on_host.semaphoreCount = 1;
    wait_on_host.pSemaphores = &both;
    wait_on_host.pValues = &to;
    constexpr std::uint64_t ten_seconds = 10'000'000'000;
    lockstep::check(vkWaitSemaphores(device, &wait_on_host, ten_seconds));
    std::uint64_t value = 0;
    lockstep::check(vkGetSemaphoreCounterValue(device, timeline, &value));
    // [/host]
    const int* seen = static_cast<const int*>(result.on_host());
    int right = 0;
    for (int i = 0; i < n; ++i) right += seen[i] == i * 3;
    lockstep::report("elements that Vulkan copied", n);
    lockstep::report("as the first kernel wrote", right);
    lockstep::report("the semaphore's value", static_cast<long long>(value));

    // [release]
    lockstep::check(cudaFree(x));  // the mapping first
    lockstep::check(cudaDestroyExternalMemory(imported));
    lockstep::check(cudaDestroyExternalSemaphore(semaphore));
    vkDestroyBuffer(device, buffer, nullptr);
    vkFreeMemory(device, memory, nullptr);
    // [/release]
    return right == n && value == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
