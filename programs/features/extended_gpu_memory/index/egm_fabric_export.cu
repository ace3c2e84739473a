// How does a GPU of another machine reach this machine's memory? The memory is created
// with a fabric handle. The handle is sent over the network, and the other machine
// imports and maps it. This program plays both parts, and says where the machine stops
// it: it needs Grace CPUs, an NVLink network, and the service IMEX.

#include <cstdlib>
#include <vector>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    int supported = 0;
    lockstep::check(cuDeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED, 0));
    lockstep::report("shared between machines", supported != 0);
    if (!supported) return lockstep::no_device_status;
    int node = 0;
    lockstep::check(cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, 0));

    // [export]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, node};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    std::size_t bytes = 0;
    lockstep::check(cuMemGetAllocationGranularity(&bytes, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemGenericAllocationHandle memory{};
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    CUmemFabricHandle message{};  // plain bytes: send them by TCP, for example
    lockstep::check(
        cuMemExportToShareableHandle(&message, memory, CU_MEM_HANDLE_TYPE_FABRIC, 0));
    // [/export]

    // [import]
    CUmemGenericAllocationHandle imported{};
    lockstep::check(
        cuMemImportFromShareableHandle(&imported, &message, CU_MEM_HANDLE_TYPE_FABRIC));
    CUdeviceptr range = 0;
    lockstep::check(cuMemAddressReserve(&range, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(range, bytes, 0, imported, 0));
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    std::vector<CUmemAccessDesc> access(static_cast<std::size_t>(devices));
    for (int device = 0; device < devices; ++device) {
        CUmemAccessDesc& one = access[static_cast<std::size_t>(device)];
        one.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        one.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    lockstep::check(cuMemSetAccess(range, bytes, access.data(), access.size()));
    // [/import]

    lockstep::check(cudaMemset(reinterpret_cast<void*>(range), 0, bytes));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("mapped for GPUs", devices);
    lockstep::check(cuMemUnmap(range, bytes));
    lockstep::check(cuMemAddressFree(range, bytes));
    lockstep::check(cuMemRelease(imported));
    lockstep::check(cuMemRelease(memory));
    return EXIT_SUCCESS;
}
