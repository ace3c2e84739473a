// Who can say which compute capability a GPU has? The runtime API, the driver API, and
// NVML, the library on which nvidia-smi is built. Only the first two look at the
// process: NVML counts GPUs of the machine, so the program finds its GPU there by PCI
// address.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda.h>
#include <nvml.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// A function of NVML, found at run time: the program starts on machines without it.
/// @tparam Function  its pointer type
/// @param name       its name in the library
template <class Function>
Function nvml_function(const char* name) {
    static void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    void* found = library ? dlsym(library, name) : nullptr;
    if (!found) {
        std::fprintf(stderr, "NVML has no %s here\n", name);
        std::exit(EXIT_FAILURE);
    }
    return reinterpret_cast<Function>(found);
}

/// A compute capability as people write it.
std::string dotted(int major, int minor) {
    return std::to_string(major) + "." + std::to_string(minor);
}

int main() {
    lockstep::require_device();

    // [runtime]
    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    const std::string runtime = dotted(major, minor);
    cudaDeviceProp properties{};
    lockstep::check(cudaGetDeviceProperties(&properties, 0));
    const std::string fields = dotted(properties.major, properties.minor);
    // [/runtime]

    // [driver]
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));
    lockstep::check(cuDeviceGetAttribute(
        &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    lockstep::check(cuDeviceGetAttribute(
        &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    const std::string driver = dotted(major, minor);
    // [/driver]

    // [nvml]
    char address[32] = "";
    lockstep::check(cudaDeviceGetPCIBusId(address, sizeof address, 0));
    nvmlDevice_t board{};
    const bool answered =
        nvml_function<decltype(&nvmlInit_v2)>("nvmlInit_v2")() == NVML_SUCCESS &&
        nvml_function<decltype(&nvmlDeviceGetHandleByPciBusId_v2)>(
            "nvmlDeviceGetHandleByPciBusId_v2")(address, &board) == NVML_SUCCESS &&
        nvml_function<decltype(&nvmlDeviceGetCudaComputeCapability)>(
            "nvmlDeviceGetCudaComputeCapability")(board, &major, &minor) ==
            NVML_SUCCESS;
    const std::string nvml = answered ? dotted(major, minor) : "no answer";
    // [/nvml]

    lockstep::report("runtime, attributes", runtime.c_str());
    lockstep::report("runtime, cudaDeviceProp", fields.c_str());
    lockstep::report("driver API", driver.c_str());
    lockstep::report("NVML", nvml.c_str());
    const bool agree = fields == runtime && driver == runtime && nvml == runtime;
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
