// Which Vulkan device is CUDA device 0? Both APIs tell the UUID of a GPU, 16 bytes. The
// numbers of the devices say nothing: each API counts in its own way. On Windows there
// is an LUID, too, for Direct3D.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <vulkan/vulkan.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_check.hpp>

int main() {
    lockstep::require_device();
    cudaDeviceProp properties{};
    lockstep::check(cudaGetDeviceProperties(&properties, 0));

    auto application = lockstep::vulkan_structure<VkApplicationInfo>(
        VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_2;
    auto create = lockstep::vulkan_structure<VkInstanceCreateInfo>(
        VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    create.pApplicationInfo = &application;
    VkInstance instance = nullptr;
    lockstep::check(vkCreateInstance(&create, nullptr, &instance));
    std::uint32_t count = 0;
    lockstep::check(vkEnumeratePhysicalDevices(instance, &count, nullptr));
    std::vector<VkPhysicalDevice> gpus(count);
    lockstep::check(vkEnumeratePhysicalDevices(instance, &count, gpus.data()));

    int matches = 0;
    for (VkPhysicalDevice gpu : gpus) {
        // [uuid]
        auto id = lockstep::vulkan_structure<VkPhysicalDeviceIDProperties>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
        auto asked = lockstep::vulkan_structure<VkPhysicalDeviceProperties2>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
        asked.pNext = &id;
        vkGetPhysicalDeviceProperties2(gpu, &asked);
        const bool same =
            std::memcmp(id.deviceUUID, &properties.uuid, VK_UUID_SIZE) == 0;
        // [/uuid]
        if (!same) continue;
        ++matches;
        lockstep::report("CUDA calls it", properties.name);
        lockstep::report("Vulkan calls it", asked.properties.deviceName);
        lockstep::report("LUID from Vulkan", id.deviceLUIDValid == VK_TRUE);
    }
    lockstep::report("devices with its UUID", matches);
    bool luid = false;  // one byte of CUDA's that is not 0
    for (const char byte : properties.luid) luid = luid || byte != 0;
    lockstep::report("LUID from CUDA", luid);
    vkDestroyInstance(instance, nullptr);
    return matches == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
