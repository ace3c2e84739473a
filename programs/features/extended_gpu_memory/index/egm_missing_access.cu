// What happens to a kernel if memory on a NUMA node is mapped and only the CPU gets
// access? The CPU can use the memory. The launch of the kernel, which stores, succeeds.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores one number.
/// @param x  one number in the memory of the CPU
__global__ void store(int* x) { *x = 2; }

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    int node = -1;
    lockstep::check(cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, 0));

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, node < 0 ? 0 : node};
    std::size_t bytes = 0;
    lockstep::check(cuMemGetAllocationGranularity(&bytes, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemGenericAllocationHandle memory{};
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    CUdeviceptr range = 0;
    lockstep::check(cuMemAddressReserve(&range, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(range, bytes, 0, memory, 0));

    // [one]
    CUmemAccessDesc access{};
    access.location = properties.location;  // the node, and not the GPU
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(range, bytes, &access, 1));

    auto* x = reinterpret_cast<int*>(range);
    *x = 1;
    lockstep::report("the CPU reads", *x);
    store<<<1, 1>>>(x);
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    // [/one]
    lockstep::report("the kernel", cudaGetErrorName(error));
    return error == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;
}
