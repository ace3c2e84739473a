// How does CUDA write an image of Vulkan? Images are laid out as the hardware likes, so
// CUDA maps the memory as an array with mipmap levels, of the same format, extent and
// number of levels, and writes texels through a surface for each level.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_check.hpp>
#include <lockstep/vulkan_commands.hpp>
#include <lockstep/vulkan_device.hpp>

constexpr int side = 64, levels = 4;  // 64, 32, 16 and 8 texels of a side

/// Writes a number that tells level and place.
/// @param side   texels of a side of this level
/// @param level  its number
/// @param image  surface of side * side unsigned texels, written
__global__ void number_texels(int side, int level, cudaSurfaceObject_t image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side)
        surf2Dwrite(level * 10000u + y * 100u + x, image, x * sizeof(unsigned), y);
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    const lockstep::vulkan_commands pool(device);

    // [image]
    auto external = lockstep::vulkan_structure<VkExternalMemoryImageCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    auto create = lockstep::vulkan_structure<VkImageCreateInfo>(
        VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    create.pNext = &external;
    create.imageType = VK_IMAGE_TYPE_2D;
    create.format = VK_FORMAT_R32_UINT;
    create.extent = {side, side, 1};
    create.mipLevels = levels;
    create.arrayLayers = 1;
    create.samples = VK_SAMPLE_COUNT_1_BIT;
    create.tiling = VK_IMAGE_TILING_OPTIMAL;
    create.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    VkImage image = VK_NULL_HANDLE;
    lockstep::check(vkCreateImage(device, &create, nullptr, &image));
    // [/image]

    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(device, image, &needs);
    auto dedicated = lockstep::vulkan_structure<VkMemoryDedicatedAllocateInfo>(
        VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    dedicated.image = image;  // the allocation is for this image alone
    auto exported = lockstep::vulkan_structure<VkExportMemoryAllocateInfo>(
        VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    exported.pNext = &dedicated;
    exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    auto allocate = lockstep::vulkan_structure<VkMemoryAllocateInfo>(
        VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.pNext = &exported;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = device.gpu().memory_type(
        needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    lockstep::check(vkAllocateMemory(device, &allocate, nullptr, &memory));
    lockstep::check(vkBindImageMemory(device, image, memory, 0));
    auto wanted = lockstep::vulkan_structure<VkMemoryGetFdInfoKHR>(
        VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    wanted.memory = memory;
    wanted.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    int descriptor = -1;
    lockstep::check(device.function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(
        device, &wanted, &descriptor));

    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, 1};
    // [layout]
    const auto change = [&](VkCommandBuffer commands, VkImageLayout old_layout,
                            std::uint32_t from, std::uint32_t to) {
        auto barrier = lockstep::vulkan_structure<VkImageMemoryBarrier>(
            VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
        barrier.srcAccessMask = barrier.dstAccessMask =
            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        barrier.oldLayout = old_layout;
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        barrier.srcQueueFamilyIndex = from;
        barrier.dstQueueFamilyIndex = to;
        barrier.image = image;
        barrier.subresourceRange = whole;
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                             1, &barrier);
    };
    pool.run(pool.record([&](VkCommandBuffer commands) {
        change(commands, VK_IMAGE_LAYOUT_UNDEFINED, device.queue_family(),
               VK_QUEUE_FAMILY_EXTERNAL);  // to CUDA
    }));
    // [/layout]

    // [import]
    cudaExternalMemoryHandleDesc handle{};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = descriptor;
    handle.size = needs.size;
    handle.flags = cudaExternalMemoryDedicated;  // as Vulkan allocated it
    cudaExternalMemory_t imported = nullptr;
    lockstep::check(cudaImportExternalMemory(&imported, &handle));

    cudaExternalMemoryMipmappedArrayDesc as_array{};
    as_array.formatDesc = cudaCreateChannelDesc<unsigned>();  // VK_FORMAT_R32_UINT
    as_array.extent = make_cudaExtent(side, side, 0);  // depth 0: two dimensions
    as_array.flags = cudaArraySurfaceLoadStore;
    as_array.numLevels = levels;
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(
        cudaExternalMemoryGetMappedMipmappedArray(&pyramid, imported, &as_array));
    // [/import]

    for (int level = 0; level < levels; ++level) {
        const int part = side >> level;
        // [level]
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        lockstep::check(
            cudaGetMipmappedArrayLevel(&description.res.array.array, pyramid, level));
        cudaSurfaceObject_t surface = 0;
        lockstep::check(cudaCreateSurfaceObject(&surface, &description));
        number_texels<<<dim3(4, 4), dim3(16, 16)>>>(part, level, surface);
        lockstep::check(cudaGetLastError());
        // [/level]
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaDestroySurfaceObject(surface));
    }

    constexpr std::size_t texels = side * side;
    const lockstep::vulkan_buffer result(device, levels * texels * sizeof(unsigned),
                                         false);
    // [copy-back]
    pool.run(pool.record([&](VkCommandBuffer commands) {
        change(commands, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_EXTERNAL,
               device.queue_family());  // from CUDA
        for (std::uint32_t level = 0; level < levels; ++level) {
            VkBufferImageCopy copy{};
            copy.bufferOffset = level * texels * sizeof(unsigned);
            copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
            const std::uint32_t part = side >> level;
            copy.imageExtent = {part, part, 1};
            vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, result, 1,
                                   &copy);
        }
        pool.show_host(commands);
    }));
    // [/copy-back]

    const unsigned* seen = static_cast<const unsigned*>(result.on_host());
    bool all = true;
    for (unsigned level = 0; level < levels; ++level) {
        const unsigned part = side >> level;
        unsigned right = 0;
        for (unsigned y = 0; y < part; ++y)
            for (unsigned x = 0; x < part; ++x)
                right +=
                    seen[level * texels + y * part + x] == level * 10000 + y * 100 + x;
        const std::string label = "right texels of level " + std::to_string(level);
        lockstep::report(label.c_str(), right);
        all = all && right == part * part;
    }
    // [release]
    lockstep::check(cudaFreeMipmappedArray(pyramid));
    lockstep::check(cudaDestroyExternalMemory(imported));
    // [/release]
    vkDestroyImage(device, image, nullptr);
    vkFreeMemory(device, memory, nullptr);
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
