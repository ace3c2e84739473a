// What does Vulkan see if nothing orders it after the kernel? The kernel writes new
// values, at once or after a delay of 20 ms, and the host has Vulkan copy and does not
// wait in between: first without a semaphore, then with one.

#include <cstdlib>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_commands.hpp>
#include <lockstep/vulkan_device.hpp>
#include <lockstep/vulkan_semaphore.hpp>

/// Writes a value into each element.
/// @param n      number of elements
/// @param value  to write
/// @param x      n ints, written
__global__ void fill(int n, int value, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_commands pool(device);
    constexpr int n = 1'000'000, blocks = (n + 255) / 256;
    constexpr std::size_t bytes = n * sizeof(int);
    const lockstep::vulkan_buffer shared(device, bytes, true);
    const lockstep::vulkan_buffer result(device, bytes, false);
    cudaExternalMemoryHandleDesc handle{};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = shared.file_descriptor();
    handle.size = shared.allocated();
    cudaExternalMemory_t imported = nullptr;
    lockstep::check(cudaImportExternalMemory(&imported, &handle));
    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    int* x = nullptr;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(reinterpret_cast<void**>(&x),
                                                      imported, &part));
    const lockstep::vulkan_semaphore written(device, VK_SEMAPHORE_TYPE_BINARY);
    cudaExternalSemaphoreHandleDesc semaphore_handle{};
    semaphore_handle.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    semaphore_handle.handle.fd = written.file_descriptor();
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &semaphore_handle));
    lockstep::owned_stream stream;
    VkCommandBuffer copy = pool.record([&](VkCommandBuffer commands) {
        pool.take(commands, shared);
        const VkBufferCopy all{0, 0, bytes};
        vkCmdCopyBuffer(commands, shared, result, 1, &all);
        pool.give(commands, shared);
        pool.show_host(commands);
    });

    // [experiment]
    const auto old_values = [&](int delay_ms, bool ordered) {
        fill<<<blocks, 256, 0, stream>>>(n, 1, x);  // the old values
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamSynchronize(stream));

        lockstep::busy<<<1, 1, 0, stream>>>(delay_ms * 1'000'000ull);  // in ns
        fill<<<blocks, 256, 0, stream>>>(n, 2, x);  // the new ones
        lockstep::check(cudaGetLastError());
        const VkSemaphore wait_for = written;
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
        auto submit =
            lockstep::vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &copy;
        if (ordered) {
            const cudaExternalSemaphoreSignalParams signal{};
            lockstep::check(
                cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
            submit.waitSemaphoreCount = 1;
            submit.pWaitSemaphores = &wait_for;
            submit.pWaitDstStageMask = &stage;
        }
        lockstep::check(vkQueueSubmit(device.queue(), 1, &submit, VK_NULL_HANDLE));
        lockstep::check(vkQueueWaitIdle(device.queue()));
        lockstep::check(cudaStreamSynchronize(stream));

        const int* seen = static_cast<const int*>(result.on_host());
        int old = 0;
        for (int i = 0; i < n; ++i) old += seen[i] == 1;
        return old;
    };
    // [/experiment]
    const int at_once = old_values(0, false), delayed = old_values(20, false);
    const int with = old_values(20, true);
    lockstep::report("elements", n);
    lockstep::report("old, no delay", lockstep::counted{at_once});
    lockstep::report("old, 20 ms of delay", lockstep::counted{delayed});
    lockstep::report("old, with a semaphore", with);
    lockstep::check(cudaFree(x));
    lockstep::check(cudaDestroyExternalMemory(imported));
    lockstep::check(cudaDestroyExternalSemaphore(semaphore));
    return with == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
