// How is memory allocated on one NUMA node of the CPU so that the GPU can use it, too?
// cuMemCreate takes the node as a location. The memory is then mapped, and the CPU and
// the GPU each get access. Here the GPU writes, and the CPU adds up.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores each index at its place.
/// @param x  n numbers in the memory of the CPU
/// @param n  how many
__global__ void store_index(long long* x, long long n) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i < n) x[i] = i;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    int supported = 0;
    lockstep::check(cuDeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
        0));
    if (!supported) lockstep::check(cudaErrorNotSupported);
    int node = -1;
    lockstep::check(cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, 0));
    if (node < 0) node = 0;  // a system without NUMA

    // [create]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    properties.location.id = node;
    std::size_t granularity = 0;
    lockstep::check(cuMemGetAllocationGranularity(&granularity, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const std::size_t bytes = 4 * granularity;
    CUmemGenericAllocationHandle memory{};
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    // [/create]

    // [map]
    CUdeviceptr range = 0;
    lockstep::check(cuMemAddressReserve(&range, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(range, bytes, 0, memory, 0));
    CUmemAccessDesc access[2]{};
    access[0].location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, node};
    access[0].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    access[1].location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    access[1].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(range, bytes, access, 2));
    // [/map]

    // [share]
    auto* x = reinterpret_cast<long long*>(range);
    const auto n = static_cast<long long>(bytes / sizeof *x);
    for (long long i = 0; i < n; ++i) x[i] = -1;
    constexpr int block_size = 256;
    store_index<<<static_cast<unsigned>((n + block_size - 1) / block_size),
                  block_size>>>(x, n);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    long long sum = 0;
    for (long long i = 0; i < n; ++i) sum += x[i];
    // [/share]

    lockstep::report("granularity", granularity, "bytes");
    lockstep::report("elements", n);
    lockstep::report("sum right", sum == n * (n - 1) / 2);
    lockstep::check(cuMemUnmap(range, bytes));
    lockstep::check(cuMemAddressFree(range, bytes));
    lockstep::check(cuMemRelease(memory));
    return sum == n * (n - 1) / 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
