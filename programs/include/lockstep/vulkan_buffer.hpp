#pragma once
/// @file
/// A buffer of Vulkan, with memory that CUDA can import.

#include <cstddef>

#include <vulkan/vulkan.h>

#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_device.hpp>

namespace lockstep {

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
        allocate.memoryTypeIndex = device.gpu().memory_type(
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

}  // namespace lockstep
