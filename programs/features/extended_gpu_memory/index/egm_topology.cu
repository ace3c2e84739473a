// Which part of the CPU's memory is close to which GPU, and can it be allocated by
// node? Each GPU names its node by an attribute. The number is the operating system's,
// so it need not be the number of the GPU.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The value of an attribute of the driver API.
/// @param attribute  which one
/// @param device     of which GPU
int value_of(CUdevice_attribute attribute, CUdevice device) {
    int value = 0;
    lockstep::check(cuDeviceGetAttribute(&value, attribute, device));
    return value;
}

int main() {
    lockstep::require_device();
    lockstep::check(cuInit(0));

    // [node]
    int node = 0;
    lockstep::check(cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, 0));
    const bool same = node == value_of(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 0);
    // [/node]
    lockstep::report("GPU", 0);
    lockstep::report("nearest NUMA node", node);

    // [support]
    const int by_map =
        value_of(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
    const int by_pool =
        value_of(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 0);
    const int between_machines =
        value_of(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED, 0);
    int native_atomics = 0;
    int host_page_tables = 0;
    lockstep::check(cudaDeviceGetAttribute(&native_atomics,
                                           cudaDevAttrHostNativeAtomicSupported, 0));
    lockstep::check(cudaDeviceGetAttribute(
        &host_page_tables, cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0));
    // [/support]
    lockstep::report("cuMemCreate on a node", by_map != 0);
    lockstep::report("memory pool on a node", by_pool != 0);
    lockstep::report("shared between machines", between_machines != 0);
    lockstep::report("native host atomics", native_atomics != 0);
    lockstep::report("uses CPU's page tables", host_page_tables != 0);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
