// How do several GPUs share single allocations? Access is set for each mapping and each
// device. One range holds memory of two GPUs and is open to both; another allocation of
// the second GPU stays closed to the first one, with no peer access anywhere.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

constexpr std::size_t half = 4 << 20;  // a multiple of the granularity, 2 MiB
constexpr int n = 2 * half / sizeof(int);

/// Writes its index into each element.
/// @param x  n ints in the memory of two devices, written
__global__ void number_elements(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}

// [memory-of]
/// Maps memory of a device to a part of a range.
void map_memory_of(int device, CUdeviceptr address) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, half, &properties, 0));
    lockstep::check(cuMemMap(address, half, 0, memory, 0));
    lockstep::check(cuMemRelease(memory));
}
// [/memory-of]

int main() {
    lockstep::require_device(0, 2);
    int reachable[2] = {};
    lockstep::check(cudaDeviceCanAccessPeer(&reachable[0], 0, 1));
    lockstep::check(cudaDeviceCanAccessPeer(&reachable[1], 1, 0));
    lockstep::report("GPUs reach each other", reachable[0] && reachable[1]);
    if (!reachable[0] || !reachable[1]) return EXIT_SUCCESS;
    lockstep::check(cudaFree(nullptr));  // creates the primary context of device 0

    // [map]
    CUdeviceptr range = 0, closed = 0;
    lockstep::check(cuMemAddressReserve(&range, 2 * half, 0, 0, 0));
    lockstep::check(cuMemAddressReserve(&closed, half, 0, 0, 0));
    map_memory_of(0, range);
    map_memory_of(1, range + half);
    map_memory_of(1, closed);

    CUmemAccessDesc access[2] = {};
    for (int device : {0, 1}) {
        access[device].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[device].location.id = device;
        access[device].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    lockstep::check(cuMemSetAccess(range, 2 * half, access, 2));  // both devices
    lockstep::check(cuMemSetAccess(closed, half, access + 1, 1));  // device 1 alone
    // [/map]

    int* x = reinterpret_cast<int*>(range);
    number_elements<<<n / 256, 256>>>(x);
    lockstep::check(cudaGetLastError());
    std::vector<int> result(n, -1);
    lockstep::check(cudaMemcpy(result.data(), x, 2 * half, cudaMemcpyDefault));
    int right = 0;
    for (int i = 0; i < n; ++i) right += result[i] == i;
    unsigned long long shared = 0, closed_here = 0;
    lockstep::check(cuMemGetAccess(&shared, &access[0].location, range + half));
    lockstep::check(cuMemGetAccess(&closed_here, &access[0].location, closed));
    lockstep::report("right elements", right);
    lockstep::report("rights in the shared range", shared);
    lockstep::report("rights in the closed one", closed_here);

    lockstep::check(cuMemUnmap(range, half));
    lockstep::check(cuMemUnmap(range + half, half));
    lockstep::check(cuMemUnmap(closed, half));
    lockstep::check(cuMemAddressFree(range, 2 * half));
    lockstep::check(cuMemAddressFree(closed, half));
    return right == n && shared == 3 && closed_here == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
