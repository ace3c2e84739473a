#pragma once
/// @file
/// A semaphore of Vulkan that CUDA can import.

#include <vulkan/vulkan.h>

#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_device.hpp>

namespace lockstep {

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
