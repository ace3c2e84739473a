// What do binary semaphores do differently? A signal sets one, and the wait that sees
// it resets it: so each direction needs one of its own, and each signal serves one
// wait. In every round CUDA writes, Vulkan copies, and CUDA may write again.

#include <cstdlib>
#include <string>

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

/// Writes a value into each element.
/// @param n      number of elements
/// @param value  to write
/// @param x      n ints, written
__global__ void fill(int n, int value, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Imports a binary semaphore of Vulkan.
cudaExternalSemaphore_t import(const lockstep::vulkan_semaphore& semaphore) {
    cudaExternalSemaphoreHandleDesc handle{};
    handle.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    handle.handle.fd = semaphore.file_descriptor();
    cudaExternalSemaphore_t imported = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&imported, &handle));
    return imported;
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_commands pool(device);
    constexpr int n = 1'000'000, rounds = 4;
    constexpr std::size_t bytes = n * sizeof(int);
    const lockstep::vulkan_buffer shared(device, bytes, true);
    const lockstep::vulkan_buffer result(device, rounds * bytes, false);

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
    const lockstep::vulkan_semaphore copied(device, VK_SEMAPHORE_TYPE_BINARY);
    const cudaExternalSemaphore_t cuda_written = import(written);
    const cudaExternalSemaphore_t cuda_copied = import(copied);
    lockstep::owned_stream stream;

    for (int round = 0; round < rounds; ++round) {
        VkCommandBuffer copy = pool.record([&](VkCommandBuffer commands) {
            pool.take(commands, shared);
            const VkBufferCopy all{0, round * bytes, bytes};
            vkCmdCopyBuffer(commands, shared, result, 1, &all);
            pool.give(commands, shared);
            pool.show_host(commands);
        });
        // [round]
        fill<<<(n + 255) / 256, 256, 0, stream>>>(n, round + 1, x);
        lockstep::check(cudaGetLastError());
        const cudaExternalSemaphoreSignalParams signal{};  // no value
        lockstep::check(
            cudaSignalExternalSemaphoresAsync(&cuda_written, &signal, 1, stream));

        const VkSemaphore wait_for = written, then_signal = copied;
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
        auto submit =
            lockstep::vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
        submit.pWaitSemaphores = &wait_for;
        submit.pWaitDstStageMask = &stage;
        submit.pSignalSemaphores = &then_signal;
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &copy;
        lockstep::check(vkQueueSubmit(device.queue(), 1, &submit, VK_NULL_HANDLE));

        const cudaExternalSemaphoreWaitParams wait{};
        lockstep::check(
            cudaWaitExternalSemaphoresAsync(&cuda_copied, &wait, 1, stream));
        // [/round]
    }
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(vkQueueWaitIdle(device.queue()));

    const int* seen = static_cast<const int*>(result.on_host());
    int right = 0;
    for (int round = 0; round < rounds; ++round) {
        int equal = 0;
        for (int i = 0; i < n; ++i) equal += seen[round * n + i] == round + 1;
        const std::string label = "right in round " + std::to_string(round + 1);
        lockstep::report(label.c_str(), equal);
        right += equal;
    }
    lockstep::check(cudaFree(x));
    lockstep::check(cudaDestroyExternalMemory(imported));
    lockstep::check(cudaDestroyExternalSemaphore(cuda_written));
    lockstep::check(cudaDestroyExternalSemaphore(cuda_copied));
    return right == rounds * n ? EXIT_SUCCESS : EXIT_FAILURE;
}
