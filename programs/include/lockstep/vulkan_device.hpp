#pragma once
/// @file
/// A Vulkan device on the GPU that CUDA uses, with one queue and its commands.

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

/// Owns a Vulkan device that can share memory and semaphores through file descriptors,
/// with one queue and a pool of commands. Never copies.
class vulkan_device {
public:
    /// Opens the GPU of a CUDA device. Ends the program with status 77 if the driver
    /// offers no Vulkan 1.2 on it.
    /// @param device  number of the CUDA device
    explicit vulkan_device(int device = 0) {
        auto application =
            vulkan_structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
        application.apiVersion = VK_API_VERSION_1_2;
        auto create = vulkan_structure<VkInstanceCreateInfo>(
            VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
        create.pApplicationInfo = &application;
        if (vkCreateInstance(&create, nullptr, &instance_) != VK_SUCCESS) missing();
        find_gpu(device);

        const float priority = 1;
        auto queue = vulkan_structure<VkDeviceQueueCreateInfo>(
            VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        queue.queueFamilyIndex = family_ = find_family();
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        const char* extensions[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
        auto features = vulkan_structure<VkPhysicalDeviceVulkan12Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
        features.timelineSemaphore = VK_TRUE;
        auto open =
            vulkan_structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
        open.pNext = &features;
        open.queueCreateInfoCount = 1;
        open.pQueueCreateInfos = &queue;
        open.enabledExtensionCount = 2;
        open.ppEnabledExtensionNames = extensions;
        check(vkCreateDevice(gpu_, &open, nullptr, &device_));
        vkGetDeviceQueue(device_, queue.queueFamilyIndex, 0, &queue_);

        auto pool = vulkan_structure<VkCommandPoolCreateInfo>(
            VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        pool.queueFamilyIndex = queue.queueFamilyIndex;
        check(vkCreateCommandPool(device_, &pool, nullptr, &pool_));
    }
    vulkan_device(const vulkan_device&) = delete;
    vulkan_device& operator=(const vulkan_device&) = delete;
    ~vulkan_device() {
        vkDeviceWaitIdle(device_);
        vkDestroyCommandPool(device_, pool_, nullptr);
        vkDestroyDevice(device_, nullptr);
        vkDestroyInstance(instance_, nullptr);
    }

    /// The handle that Vulkan's calls take; this object goes on owning it.
    operator VkDevice() const { return device_; }
    /// The GPU, for questions about it.
    VkPhysicalDevice gpu() const { return gpu_; }
    /// The queue that commands are submitted to.
    VkQueue queue() const { return queue_; }

    /// Records that the queue takes a buffer over from CUDA: from an external queue
    /// family, as Vulkan calls every other API.
    /// @param commands  where
    /// @param buffer    shared with CUDA
    void take(VkCommandBuffer commands, VkBuffer buffer) const {
        change_owner(commands, buffer, VK_QUEUE_FAMILY_EXTERNAL, family_);
    }
    /// Records that the queue gives a buffer back to CUDA.
    /// @param commands  where
    /// @param buffer    shared with CUDA
    void give(VkCommandBuffer commands, VkBuffer buffer) const {
        change_owner(commands, buffer, family_, VK_QUEUE_FAMILY_EXTERNAL);
    }
    /// Records that what copies have written is for the host to read. The host also has
    /// to wait until the commands are done.
    /// @param commands  where
    void show_host(VkCommandBuffer commands) const {
        auto written =
            vulkan_structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        written.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0, nullptr, 0,
                             nullptr);
    }
    /// Number of the family that the queue belongs to.
    std::uint32_t queue_family() const { return family_; }

    /// A function of an extension.
    /// @tparam Function  type of a pointer to it, as vulkan_core.h names it
    /// @param name       of the function
    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(vkGetDeviceProcAddr(device_, name));
    }

    /// The first type of memory with some properties.
    /// @param allowed  a bit for each type that the resource can be bound to
    /// @param wanted   properties that the type must have
    std::uint32_t memory_type(std::uint32_t allowed,
                              VkMemoryPropertyFlags wanted) const {
        VkPhysicalDeviceMemoryProperties memory{};
        vkGetPhysicalDeviceMemoryProperties(gpu_, &memory);
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
            if (allowed >> i & 1 &&
                (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
                return i;
        missing();
    }

    /// Records commands that can be submitted any number of times.
    /// @tparam Record  callable with a VkCommandBuffer
    /// @param record   records the commands
    template <class Record>
    VkCommandBuffer commands(Record&& record) const {
        auto wanted = vulkan_structure<VkCommandBufferAllocateInfo>(
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        wanted.commandPool = pool_;
        wanted.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        wanted.commandBufferCount = 1;
        VkCommandBuffer commands = nullptr;
        check(vkAllocateCommandBuffers(device_, &wanted, &commands));
        auto begin = vulkan_structure<VkCommandBufferBeginInfo>(
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
        check(vkBeginCommandBuffer(commands, &begin));
        record(commands);
        check(vkEndCommandBuffer(commands));
        return commands;
    }

    /// Submits commands and waits on the host until they are done.
    /// @param commands  recorded by commands()
    void run(VkCommandBuffer commands) const {
        auto submit = vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands;
        check(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE));
        check(vkQueueWaitIdle(queue_));
    }

private:
    void find_gpu(int device) {
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
                gpu_ = gpu;
        }
        if (!gpu_) missing();
    }
    /// The first family of queues that can draw, compute and copy.
    std::uint32_t find_family() const {
        std::uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(gpu_, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(gpu_, &count, families.data());
        constexpr VkQueueFlags wanted = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
        for (std::uint32_t i = 0; i < count; ++i)
            if ((families[i].queueFlags & wanted) == wanted) return i;
        missing();
    }
    static void change_owner(VkCommandBuffer commands, VkBuffer buffer,
                             std::uint32_t from, std::uint32_t to) {
        auto change = vulkan_structure<VkBufferMemoryBarrier>(
            VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
        change.srcAccessMask = change.dstAccessMask =
            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        change.srcQueueFamilyIndex = from;
        change.dstQueueFamilyIndex = to;
        change.buffer = buffer;
        change.size = VK_WHOLE_SIZE;
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &change,
                             0, nullptr);
    }
    [[noreturn]] static void missing() {
        std::fprintf(stderr, "this program needs Vulkan 1.2 on the first GPU\n");
        std::exit(no_device_status);
    }

    VkInstance instance_ = nullptr;
    VkPhysicalDevice gpu_ = nullptr;
    VkDevice device_ = nullptr;
    VkQueue queue_ = nullptr;
    std::uint32_t family_ = 0;
    VkCommandPool pool_ = VK_NULL_HANDLE;
};

}  // namespace lockstep
