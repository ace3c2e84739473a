// How is memory allocated when addresses and physical memory are separate? Reserve a
// range of addresses, create physical memory, map the one to the other, and set the
// access. The result is an ordinary pointer, for kernels and for copies. At the end,
// the steps are undone: unmap, release, free the addresses.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes its index into each element.
/// @param n  number of elements
/// @param x  n ints in device memory, written
__global__ void number_elements(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    constexpr int n = 1'000'000;
    // [granularity]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;  // stays where it is
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;  // device 0

    std::size_t granularity = 0;
    lockstep::check(cuMemGetAllocationGranularity(&granularity, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const std::size_t wanted = n * sizeof(int);
    const std::size_t bytes = (wanted + granularity - 1) / granularity * granularity;
    // [/granularity]
    lockstep::report("granularity", granularity, "bytes");
    lockstep::report("bytes wanted", wanted);
    lockstep::report("bytes allocated", bytes);

    // [map]
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));

    CUmemAccessDesc access{};
    access.location = properties.location;  // who may use it: device 0
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    // [/map]

    // [use]
    int* x = reinterpret_cast<int*>(address);
    number_elements<<<(n + 255) / 256, 256>>>(n, x);
    lockstep::check(cudaGetLastError());
    std::vector<int> result(n, -1);
    lockstep::check(cudaMemcpy(result.data(), x, wanted, cudaMemcpyDeviceToHost));
    // [/use]

    // [release]
    lockstep::check(cuMemUnmap(address, bytes));
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cuMemAddressFree(address, bytes));
    // [/release]

    int right = 0;
    for (int i = 0; i < n; ++i) right += result[i] == i;
    lockstep::report("right elements", right);
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
