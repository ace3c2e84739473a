// Can memory be shared with processes on other machines here? That takes a device that
// supports fabric handles, and an IMEX channel that the user may open. The program asks
// for both, and then tries.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [channels]
/// Whether the kernel of the operating system lists the devices of IMEX channels.
bool channels_listed() {
    std::ifstream devices("/proc/devices");
    for (std::string line; std::getline(devices, line);)
        if (line.find("nvidia-caps-imex-channels") != std::string::npos) return true;
    return false;
}

/// IMEX channels that this user may open.
int channels_usable() {
    int usable = 0;
    std::error_code none;
    const std::filesystem::path folder = "/dev/nvidia-caps-imex-channels";
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        usable += access(entry.path().c_str(), R_OK) == 0;
    return usable;
}
// [/channels]

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    int supported = 0;
    lockstep::check(cuDeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0));
    lockstep::report("device supports it", supported != 0);
    lockstep::report("channels in /proc/devices", channels_listed());
    lockstep::report("channels for this user", channels_usable());

    // [create]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    CUmemGenericAllocationHandle memory = 0;
    const CUresult created = cuMemCreate(&memory, 4 << 20, &properties, 0);
    lockstep::report("create", lockstep::name_of(created));
    if (created == CUDA_SUCCESS) {
        CUmemFabricHandle handle{};  // plain bytes, for any message
        lockstep::check(cuMemExportToShareableHandle(&handle, memory,
                                                     CU_MEM_HANDLE_TYPE_FABRIC, 0));
        lockstep::report("exported handle", sizeof handle, "bytes");
        lockstep::check(cuMemRelease(memory));
    }
    // [/create]
    return supported || created != CUDA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
