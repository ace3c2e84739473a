// Can a graph wait for Vulkan, and signal to it? External semaphore nodes do so, with
// values that the graph keeps. A timeline's values only rise, so before each launch the
// two nodes of the executable graph get new ones.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_device.hpp>
#include <lockstep/vulkan_semaphore.hpp>

/// Adds 1.
/// @param count  one int, read and written
__global__ void increment(int* count) { ++*count; }

/// Lets Vulkan's queue raise a timeline, with no other work.
/// @param device    whose queue
/// @param timeline  the semaphore
/// @param value     its new value
void signal_in_vulkan(const lockstep::vulkan_device& device, VkSemaphore timeline,
                      std::uint64_t value) {
    auto values = lockstep::vulkan_structure<VkTimelineSemaphoreSubmitInfo>(
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    auto submit =
        lockstep::vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.pNext = &values;
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &timeline;
    lockstep::check(vkQueueSubmit(device.queue(), 1, &submit, VK_NULL_HANDLE));
    lockstep::check(vkQueueWaitIdle(device.queue()));
}

/// Waits for the work of a stream, but not forever.
/// @return whether it has ended
bool ends_in_time(cudaStream_t stream) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        if (std::chrono::steady_clock::now() > limit) return false;
    lockstep::check(cudaStreamSynchronize(stream));
    return true;
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_semaphore timeline(device, VK_SEMAPHORE_TYPE_TIMELINE);
    cudaExternalSemaphoreHandleDesc handle{};
    handle.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    handle.handle.fd = timeline.file_descriptor();
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &handle));
    lockstep::device_buffer<int> d_count(1);
    d_count.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    // [wait-node]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaExternalSemaphoreWaitParams wait{};
    wait.params.fence.value = 1;
    cudaExternalSemaphoreWaitNodeParams waits{};
    waits.extSemArray = &semaphore;
    waits.paramsArray = &wait;
    waits.numExtSems = 1;
    cudaGraphNode_t wait_node{}, kernel_node{}, signal_node{};
    lockstep::check(
        cudaGraphAddExternalSemaphoresWaitNode(&wait_node, graph, nullptr, 0, &waits));
    // [/wait-node]
    // [signal-node]
    int* count = d_count.data();
    void* arguments[] = {&count};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(increment);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    lockstep::check(
        cudaGraphAddKernelNode(&kernel_node, graph, &wait_node, 1, &kernel));

    cudaExternalSemaphoreSignalParams signal{};
    signal.params.fence.value = 2;
    cudaExternalSemaphoreSignalNodeParams signals{};
    signals.extSemArray = &semaphore;
    signals.paramsArray = &signal;
    signals.numExtSems = 1;
    lockstep::check(cudaGraphAddExternalSemaphoresSignalNode(
        &signal_node, graph, &kernel_node, 1, &signals));
    // [/signal-node]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));

    bool right = true;
    for (int launch = 1; launch <= 2; ++launch) {
        const std::uint64_t from = 2 * launch - 1, to = 2 * launch;
        // [set]
        if (launch > 1) {
            wait.params.fence.value = from;
            signal.params.fence.value = to;
            lockstep::check(cudaGraphExecExternalSemaphoresWaitNodeSetParams(
                executable, wait_node, &waits));
            lockstep::check(cudaGraphExecExternalSemaphoresSignalNodeSetParams(
                executable, signal_node, &signals));
        }
        // [/set]
        // [launch]
        signal_in_vulkan(device, timeline, from);  // first, as for streams
        lockstep::check(cudaGraphLaunch(executable, stream));
        const bool ended = ends_in_time(stream);
        std::uint64_t value = 0;
        lockstep::check(vkGetSemaphoreCounterValue(device, timeline, &value));
        // [/launch]
        const std::string name = "launch " + std::to_string(launch);
        lockstep::report((name + ", waits for").c_str(), from);
        lockstep::report((name + ", has ended").c_str(), ended);
        lockstep::report((name + ", Vulkan reads").c_str(), value);
        right = right && ended && value == to;
        if (!ended) {
            std::fflush(stdout);
            std::_Exit(EXIT_FAILURE);  // a destructor would wait for the stream
        }
    }
    const int counted = d_count.to_host()[0];
    lockstep::report("kernels run", counted);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaDestroyExternalSemaphore(semaphore));
    return right && counted == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
