#pragma once
/// @file
/// Commands of Vulkan, and those that every exchange with CUDA needs.

#include <cstdint>

#include <vulkan/vulkan.h>

#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_device.hpp>

namespace lockstep {

/// Owns a pool of commands for a device's queue. Never copies.
class vulkan_commands {
public:
    /// @param device  whose queue runs the commands
    explicit vulkan_commands(const vulkan_device& device) : device_(device) {
        auto create = vulkan_structure<VkCommandPoolCreateInfo>(
            VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        create.queueFamilyIndex = device.queue_family();
        check(vkCreateCommandPool(device, &create, nullptr, &pool_));
    }
    vulkan_commands& operator=(vulkan_commands&&) = delete;  // and so no copy
    ~vulkan_commands() {
        vkDeviceWaitIdle(device_);
        vkDestroyCommandPool(device_, pool_, nullptr);
    }

    /// Records commands that can be submitted any number of times.
    /// @param record  callable with a VkCommandBuffer
    /// @return the commands; this object owns them
    template <class Record>
    VkCommandBuffer record(Record&& record) const {
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
    /// @param commands  recorded by record()
    void run(VkCommandBuffer commands) const {
        auto submit = vulkan_structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands;
        check(vkQueueSubmit(device_.queue(), 1, &submit, VK_NULL_HANDLE));
        check(vkQueueWaitIdle(device_.queue()));
    }

    /// Records that the queue takes a buffer over from CUDA: from an external queue
    /// family, as Vulkan calls every other API.
    /// @param commands  where
    /// @param buffer    shared with CUDA
    void take(VkCommandBuffer commands, VkBuffer buffer) const {
        change_owner(commands, buffer, VK_QUEUE_FAMILY_EXTERNAL,
                     device_.queue_family());
    }
    /// Records that the queue gives a buffer back to CUDA.
    /// @param commands  where
    /// @param buffer    shared with CUDA
    void give(VkCommandBuffer commands, VkBuffer buffer) const {
        change_owner(commands, buffer, device_.queue_family(),
                     VK_QUEUE_FAMILY_EXTERNAL);
    }
    /// Records that what copies have written is for the host to read. The host also has
    /// to wait until the commands are done.
    /// @param commands  where
    static void show_host(VkCommandBuffer commands) {
        auto written =
            vulkan_structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        written.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        written.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0, nullptr, 0,
                             nullptr);
    }

private:
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

    const vulkan_device& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
};

}  // namespace lockstep
