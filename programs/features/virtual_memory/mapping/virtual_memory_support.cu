// What does this machine offer of virtual memory management? Attributes of the device
// answer that, and the driver says in which units memory is created and mapped.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// An attribute of device 0.
int attribute(CUdevice_attribute which) {
    int value = 0;
    lockstep::check(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

/// Smallest or recommended unit of memory on device 0, in bytes.
std::size_t granularity(CUmemAllocationGranularity_flags which) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    std::size_t bytes = 0;
    lockstep::check(cuMemGetAllocationGranularity(&bytes, &properties, which));
    return bytes;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    // [attributes]
    const bool supported =
        attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
    lockstep::report("virtual memory management", supported);
    lockstep::report(
        "handle: file descriptor",
        attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED) !=
            0);
    lockstep::report(
        "handle: Win32",
        attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED) != 0);
    lockstep::report("handle: fabric",
                     attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED) != 0);
    lockstep::report("compressible memory",
                     attribute(CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED) != 0);
    lockstep::report(
        "memory on the host",
        attribute(CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) != 0);
    lockstep::report(
        "memory on a NUMA node",
        attribute(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) !=
            0);
    lockstep::report("multicast objects",
                     attribute(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) != 0);
    // [/attributes]

    // [granularity]
    const std::size_t minimum = granularity(CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    const std::size_t recommended = granularity(CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    lockstep::report("granularity, minimum", minimum / 1024, "KiB");
    lockstep::report("granularity, recommended", recommended / 1024, "KiB");
    // [/granularity]
    return supported && recommended % minimum == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
