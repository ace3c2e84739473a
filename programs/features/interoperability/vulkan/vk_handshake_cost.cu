// What does it cost when CUDA and Vulkan take turns, with nearly nothing to do? Either
// semaphores order them on the GPU, and the host submits all rounds at once, or the
// host waits for one side before it submits to the other. Beside them, each side alone.

#include <cstdint>
#include <cstdlib>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_commands.hpp>
#include <lockstep/vulkan_device.hpp>
#include <lockstep/vulkan_semaphore.hpp>

/// Adds 1.
/// @param count  one int, read and written
__global__ void increment(int* count) { ++*count; }

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_commands pool(device);
    constexpr int rounds = 100;
    lockstep::device_buffer<int> d_count(1);
    d_count.fill_bytes(0);
    lockstep::owned_stream stream;
    const lockstep::vulkan_buffer result(device, 4, false);
    VkCommandBuffer work = pool.record(
        [&](VkCommandBuffer commands) { vkCmdFillBuffer(commands, result, 0, 4, 7); });
    const lockstep::vulkan_semaphore timeline(device, VK_SEMAPHORE_TYPE_TIMELINE);
    cudaExternalSemaphoreHandleDesc handle{};
    handle.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    handle.handle.fd = timeline.file_descriptor();
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &handle));

    const VkSemaphore both = timeline;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    auto values = lockstep::vulkan_structure<VkTimelineSemaphoreSubmitInfo>(
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    auto ordered =
        lockstep::vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    ordered.pNext = &values;
    ordered.waitSemaphoreCount = ordered.signalSemaphoreCount = 1;
    ordered.pWaitSemaphores = ordered.pSignalSemaphores = &both;
    ordered.pWaitDstStageMask = &stage;
    ordered.commandBufferCount = 1;
    ordered.pCommandBuffers = &work;

    std::uint64_t value = 0;
    // [ways]
    const auto on_gpu = [&] {
        for (int round = 0; round < rounds; ++round, value += 2) {
            increment<<<1, 1, 0, stream>>>(d_count.data());
            lockstep::check(cudaGetLastError());
            cudaExternalSemaphoreSignalParams signal{};
            signal.params.fence.value = value + 1;
            lockstep::check(
                cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
            const std::uint64_t from = value + 1, to = value + 2;
            values.pWaitSemaphoreValues = &from;
            values.pSignalSemaphoreValues = &to;
            lockstep::check(vkQueueSubmit(device.queue(), 1, &ordered, VK_NULL_HANDLE));
            cudaExternalSemaphoreWaitParams wait{};
            wait.params.fence.value = value + 2;
            lockstep::check(
                cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
        }
        lockstep::check(cudaStreamSynchronize(stream));
    };
    const auto on_host = [&] {
        for (int round = 0; round < rounds; ++round) {
            increment<<<1, 1, 0, stream>>>(d_count.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(stream));
            pool.run(work);  // submits, and waits until the queue is idle
        }
    };
    // [/ways]
    const auto only_cuda = [&] {
        for (int round = 0; round < rounds; ++round) {
            increment<<<1, 1, 0, stream>>>(d_count.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(stream));
        }
    };
    const auto only_vulkan = [&] {
        for (int round = 0; round < rounds; ++round) pool.run(work);
    };
    const lockstep::timing semaphores = lockstep::time_on_host(on_gpu);
    const lockstep::timing waits = lockstep::time_on_host(on_host);
    const lockstep::timing cuda = lockstep::time_on_host(only_cuda);
    const lockstep::timing vulkan = lockstep::time_on_host(only_vulkan);

    const int count = d_count.to_host()[0];
    const int expected = 3 * 21 * rounds;  // three with a kernel: a warm-up and 20 runs
    const auto a_round = [](const char* label, const lockstep::timing& time) {
        lockstep::report(label, lockstep::measured{1e3 * time.median_ms / rounds},
                         "us");
    };
    a_round("CUDA alone, a round", cuda);
    a_round("Vulkan alone, a round", vulkan);
    a_round("in turns, the host waits", waits);
    a_round("in turns, semaphores", semaphores);
    const double alone = cuda.median_ms + vulkan.median_ms;
    lockstep::report("host waits / both alone",
                     lockstep::measured{waits.median_ms / alone});
    lockstep::report("semaphores / host waits",
                     lockstep::measured{semaphores.median_ms / waits.median_ms});
    lockstep::check(cudaDestroyExternalSemaphore(semaphore));
    return count == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
