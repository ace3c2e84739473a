// Which kinds of handles does this device have for other processes? The program asks
// for each kind, and then tries the one that also crosses machines: a fabric handle.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // the driver calls need a context
    const auto runtime = [](cudaDeviceAttr attribute) {
        int value = 0;
        lockstep::check(cudaDeviceGetAttribute(&value, attribute, 0));
        return value;
    };
    const auto driver = [](CUdevice_attribute attribute) {
        int value = 0;
        lockstep::check(cuDeviceGetAttribute(&value, attribute, 0));
        return value != 0;
    };
    // [ask]
    lockstep::report("legacy handles", runtime(cudaDevAttrIpcEventSupport) != 0);
    const int pools = runtime(cudaDevAttrMemoryPoolSupportedHandleTypes);
    lockstep::report("pools: descriptors",
                     (pools & cudaMemHandleTypePosixFileDescriptor) != 0);
    lockstep::report("pools: Win32 handles", (pools & cudaMemHandleTypeWin32) != 0);
    lockstep::report("pools: fabric handles", (pools & cudaMemHandleTypeFabric) != 0);
    lockstep::report(
        "cuMemCreate: descriptors",
        driver(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED));
    lockstep::report("cuMemCreate: Win32 handles",
                     driver(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED));
    lockstep::report("cuMemCreate: fabric handles",
                     driver(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED));
    // [/ask]

    // [fabric]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    CUmemGenericAllocationHandle memory{};
    const CUresult created = cuMemCreate(&memory, std::size_t(2) << 20, &properties, 0);
    lockstep::report("memory for fabric handles", lockstep::name_of(created));
    CUmemFabricHandle fabric{};
    if (created == CUDA_SUCCESS) {
        const CUresult exported =
            cuMemExportToShareableHandle(&fabric, memory, CU_MEM_HANDLE_TYPE_FABRIC, 0);
        lockstep::report("fabric handle", lockstep::name_of(exported));
        lockstep::check(cuMemRelease(memory));
    }
    lockstep::report("size of a fabric handle", sizeof fabric, "bytes");
    // [/fabric]
    return (pools & cudaMemHandleTypePosixFileDescriptor) ? EXIT_SUCCESS : EXIT_FAILURE;
}
