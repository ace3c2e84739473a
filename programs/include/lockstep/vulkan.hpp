#pragma once
/// @file
/// A Vulkan device on the GPU that CUDA uses, with one queue, buffers and commands.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <vulkan/vulkan.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program unless a call of Vulkan succeeded.
/// @param result  what the call returned
/// @param file    source file of the call; leave it out
/// @param line    source line of the call; leave it out
inline void check(VkResult result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == VK_SUCCESS) return;
    stop_at(false, ("VkResult " + std::to_string(result)).c_str(),
            "see the list of VkResult in vulkan_core.h", file, line);
}

/// A structure of Vulkan with all members 0 except the first, which says what it is.
/// @tparam T   type of the structure
/// @param type  the matching value of VkStructureType
template <class T>
T vulkan_structure(VkStructureType type) {
    T structure{};
    structure.sType = type;
    return structure;
}

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

/// Owns a buffer of Vulkan and the memory it is bound to. Never copies.
class vulkan_buffer {
public:
    /// Creates a buffer that copies may read and write.
    /// @param device  where
    /// @param bytes   its size
    /// @param shared  whether its memory is on the GPU and can be exported as a file
    ///                descriptor; otherwise it is memory that the host reads
    vulkan_buffer(const vulkan_device& device, std::size_t bytes, bool shared)
        : device_(device) {
        auto external = vulkan_structure<VkExternalMemoryBufferCreateInfo>(
            VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
        external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
        auto create =
            vulkan_structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
        create.pNext = shared ? &external : nullptr;
        create.size = bytes;
        create.usage =
            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        check(vkCreateBuffer(device, &create, nullptr, &buffer_));
        VkMemoryRequirements needs{};
        vkGetBufferMemoryRequirements(device, buffer_, &needs);
        size_ = needs.size;

        auto exported = vulkan_structure<VkExportMemoryAllocateInfo>(
            VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
        exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
        auto allocate = vulkan_structure<VkMemoryAllocateInfo>(
            VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
        allocate.pNext = shared ? &exported : nullptr;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = device.memory_type(
            needs.memoryTypeBits, shared ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                         : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                               VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        check(vkAllocateMemory(device, &allocate, nullptr, &memory_));
        check(vkBindBufferMemory(device, buffer_, memory_, 0));
        if (!shared) check(vkMapMemory(device, memory_, 0, VK_WHOLE_SIZE, 0, &mapped_));
    }
    vulkan_buffer(const vulkan_buffer&) = delete;
    vulkan_buffer& operator=(const vulkan_buffer&) = delete;
    ~vulkan_buffer() {
        vkDestroyBuffer(device_, buffer_, nullptr);
        vkFreeMemory(device_, memory_, nullptr);
    }

    /// The handle that Vulkan's calls take; this object goes on owning it.
    operator VkBuffer() const { return buffer_; }
    /// Size of the allocation in bytes, at least that of the buffer.
    std::size_t allocated() const { return size_; }
    /// Where the host reads it, unless it is shared.
    const void* on_host() const { return mapped_; }
    /// Exports the memory.
    /// @return a new file descriptor, which the caller owns
    int file_descriptor() const {
        auto wanted = vulkan_structure<VkMemoryGetFdInfoKHR>(
            VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
        wanted.memory = memory_;
        wanted.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
        int descriptor = -1;
        check(device_.function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(
            device_, &wanted, &descriptor));
        return descriptor;
    }

private:
    const vulkan_device& device_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::size_t size_ = 0;
    void* mapped_ = nullptr;
};

/// Owns a semaphore of Vulkan that can be exported as a file descriptor. Never copies.
class vulkan_semaphore {
public:
    /// Creates it.
    /// @param device  where
    /// @param kind    binary, or a timeline that begins at 0
    vulkan_semaphore(const vulkan_device& device, VkSemaphoreType kind)
        : device_(device) {
        auto exported = vulkan_structure<VkExportSemaphoreCreateInfo>(
            VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
        exported.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
        auto type = vulkan_structure<VkSemaphoreTypeCreateInfo>(
            VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
        type.pNext = &exported;
        type.semaphoreType = kind;
        auto create = vulkan_structure<VkSemaphoreCreateInfo>(
            VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
        create.pNext = &type;
        check(vkCreateSemaphore(device, &create, nullptr, &semaphore_));
    }
    vulkan_semaphore(const vulkan_semaphore&) = delete;
    vulkan_semaphore& operator=(const vulkan_semaphore&) = delete;
    ~vulkan_semaphore() { vkDestroySemaphore(device_, semaphore_, nullptr); }

    /// The handle that Vulkan's calls take; this object goes on owning it.
    operator VkSemaphore() const { return semaphore_; }
    /// Exports the semaphore.
    /// @return a new file descriptor, which the caller owns
    int file_descriptor() const {
        auto wanted = vulkan_structure<VkSemaphoreGetFdInfoKHR>(
            VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
        wanted.semaphore = semaphore_;
        wanted.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
        int descriptor = -1;
        check(device_.function<PFN_vkGetSemaphoreFdKHR>("vkGetSemaphoreFdKHR")(
            device_, &wanted, &descriptor));
        return descriptor;
    }

private:
    const vulkan_device& device_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

}  // namespace lockstep
