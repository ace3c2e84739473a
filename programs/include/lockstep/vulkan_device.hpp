#pragma once
/// @file
/// A Vulkan device on the GPU that CUDA uses, with one queue.

#include <cstdint>

#include <vulkan/vulkan.h>

#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_gpu.hpp>

namespace lockstep {

/// Owns a Vulkan device that can share memory and semaphores through file descriptors,
/// with one queue. Never copies.
class vulkan_device {
public:
    /// Opens the GPU of a CUDA device.
    /// @param device  number of the CUDA device
    explicit vulkan_device(int device = 0)
        : gpu_(device), family_(gpu_.queue_family()) {
        const float priority = 1;
        auto queue = vulkan_structure<VkDeviceQueueCreateInfo>(
            VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        queue.queueFamilyIndex = family_;
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        const char* extensions[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
        auto features = vulkan_structure<VkPhysicalDeviceVulkan12Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
        features.timelineSemaphore = VK_TRUE;
        auto create =
            vulkan_structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
        create.pNext = &features;
        create.queueCreateInfoCount = 1;
        create.pQueueCreateInfos = &queue;
        create.enabledExtensionCount = 2;
        create.ppEnabledExtensionNames = extensions;
        check(vkCreateDevice(gpu_, &create, nullptr, &handle_));
        vkGetDeviceQueue(handle_, family_, 0, &queue_);
    }
    vulkan_device& operator=(vulkan_device&&) = delete;  // and so no copy
    ~vulkan_device() {
        vkDeviceWaitIdle(handle_);
        vkDestroyDevice(handle_, nullptr);
    }

    /// The handle that Vulkan's calls take; this object goes on owning it.
    operator VkDevice() const { return handle_; }
    /// The GPU, for questions about it.
    const vulkan_gpu& gpu() const { return gpu_; }
    /// The queue that commands are submitted to.
    VkQueue queue() const { return queue_; }
    /// Number of the family that the queue belongs to.
    std::uint32_t queue_family() const { return family_; }
    /// A function of an extension.
    /// @tparam Function  type of a pointer to it, as vulkan_core.h names it
    /// @param name       of the function
    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(vkGetDeviceProcAddr(handle_, name));
    }

private:
    vulkan_gpu gpu_;
    std::uint32_t family_;
    VkDevice handle_ = nullptr;
    VkQueue queue_ = nullptr;
};

}  // namespace lockstep
