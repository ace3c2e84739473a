#pragma once
/// @file
/// The GPU of a CUDA device, as Vulkan sees it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>
#include <vulkan/vulkan.h>

#include <lockstep/check.hpp>
#include <lockstep/vulkan_check.hpp>

namespace lockstep {

/// Owns an instance of Vulkan and names one of its GPUs. Never copies.
class vulkan_gpu {
public:
    /// Finds the GPU of a CUDA device. Ends the program with status 77 if the driver
    /// offers no Vulkan 1.2 on it.
    /// @param device  number of the CUDA device
    explicit vulkan_gpu(int device) {
        auto application =
            vulkan_structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
        application.apiVersion = VK_API_VERSION_1_2;
        auto create = vulkan_structure<VkInstanceCreateInfo>(
            VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
        create.pApplicationInfo = &application;
        if (vkCreateInstance(&create, nullptr, &instance_) != VK_SUCCESS) missing();
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, device));
        std::uint32_t count = 0;
        check(vkEnumeratePhysicalDevices(instance_, &count, nullptr));
        std::vector<VkPhysicalDevice> gpus(count);
        check(vkEnumeratePhysicalDevices(instance_, &count, gpus.data()));
        for (VkPhysicalDevice gpu : gpus) {
            auto id = vulkan_structure<VkPhysicalDeviceIDProperties>(
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
            auto asked = vulkan_structure<VkPhysicalDeviceProperties2>(
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
            asked.pNext = &id;
            vkGetPhysicalDeviceProperties2(gpu, &asked);
            if (std::memcmp(id.deviceUUID, &properties.uuid, VK_UUID_SIZE) == 0)
                handle_ = gpu;
        }
        if (!handle_) missing();
    }
    vulkan_gpu& operator=(vulkan_gpu&&) = delete;  // and so no copy
    ~vulkan_gpu() { vkDestroyInstance(instance_, nullptr); }

    /// The handle that Vulkan's calls take; this object goes on owning its instance.
    operator VkPhysicalDevice() const { return handle_; }

    /// Number of the first family of queues that can compute and copy.
    std::uint32_t queue_family() const {
        std::uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(handle_, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(handle_, &count, families.data());
        constexpr VkQueueFlags wanted = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
        for (std::uint32_t i = 0; i < count; ++i)
            if ((families[i].queueFlags & wanted) == wanted) return i;
        missing();
    }
    /// The first type of memory with some properties.
    /// @param allowed  a bit for each type that the resource can be bound to
    /// @param wanted   properties that the type must have
    std::uint32_t memory_type(std::uint32_t allowed,
                              VkMemoryPropertyFlags wanted) const {
        VkPhysicalDeviceMemoryProperties memory{};
        vkGetPhysicalDeviceMemoryProperties(handle_, &memory);
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
            if (allowed >> i & 1 &&
                (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
                return i;
        missing();
    }

private:
    [[noreturn]] static void missing() {
        std::fprintf(stderr, "this program needs Vulkan 1.2 on the first GPU\n");
        std::exit(no_device_status);
    }

    VkInstance instance_ = nullptr;
    VkPhysicalDevice handle_ = nullptr;
};

}  // namespace lockstep
