// Can memory that is mapped for the GPU lie in the host's memory? With a host location,
// or a NUMA node of the host, it does. Host and GPU each need access of their own; then
// a kernel writes through the same pointer through which the host reads.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes its index into each element.
/// @param n  number of elements
/// @param x  n ints, written
__global__ void number_elements(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

/// Creates memory at a location, lets a kernel fill it, and reads it on the host.
/// @param location     host, or a NUMA node of the host
/// @param granularity  set to the unit of such memory, in bytes
/// @return elements that the host found right
int fill_and_read(const CUmemLocation& location, std::size_t& granularity) {
    constexpr int n = 100'000;
    // [create]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location;
    lockstep::check(cuMemGetAllocationGranularity(&granularity, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const std::size_t bytes =
        (n * sizeof(int) + granularity - 1) / granularity * granularity;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    // [/create]
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
    // [access]
    CUmemAccessDesc access[2] = {};
    access[0].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access[0].location.id = 0;
    access[0].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    access[1].location = location;
    access[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(address, bytes, access, 2));
    // [/access]

    // [use]
    int* x = reinterpret_cast<int*>(address);
    for (int i = 0; i < n; ++i) x[i] = -1;  // the host writes
    number_elements<<<(n + 255) / 256, 256>>>(n, x);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    int right = 0;
    for (int i = 0; i < n; ++i) right += x[i] == i;
    // [/use]
    lockstep::check(cuMemUnmap(address, bytes));
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cuMemAddressFree(address, bytes));
    return right;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    // [locations]
    CUmemLocation host{};
    host.type = CU_MEM_LOCATION_TYPE_HOST;
    CUmemLocation node{};
    node.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    lockstep::check(
        cuDeviceGetAttribute(&node.id, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 0));
    if (node.id < 0) node.id = 0;  // a system without NUMA
    // [/locations]

    std::size_t granularity = 0;
    const int on_host = fill_and_read(host, granularity);
    lockstep::report("host: granularity", granularity / 1024, "KiB");
    lockstep::report("host: right elements", on_host);
    const int on_node = fill_and_read(node, granularity);
    lockstep::report("nearest NUMA node", node.id);
    lockstep::report("NUMA node: granularity", granularity / 1024, "KiB");
    lockstep::report("NUMA node: right elements", on_node);

    // [device]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    constexpr std::size_t bytes = 4 << 20;  // a multiple of the granularity, 2 MiB
    CUmemGenericAllocationHandle memory = 0;
    CUdeviceptr address = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
    CUmemAccessDesc for_host{};
    for_host.location = host;
    for_host.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    const CUresult reversed = cuMemSetAccess(address, bytes, &for_host, 1);
    // [/device]
    lockstep::report("(GPU memory for the host)", lockstep::name_of(reversed));
    lockstep::check(cuMemUnmap(address, bytes));
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cuMemAddressFree(address, bytes));
    return on_host == 100'000 && on_node == 100'000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
