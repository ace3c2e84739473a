// Can one piece of memory have two addresses? Map the same handle to two ranges: what a
// kernel writes through the one is what a later kernel, or a copy, reads through the
// other. Each mapping has rights of its own, so one of the two may be read-only.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 2 << 20;  // the granularity on the GPUs of this site
constexpr int n = bytes / sizeof(int);

/// Writes a number into each element.
/// @param x       n ints in device memory, written
/// @param number  the number
__global__ void fill(int* x, int number) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = number;
}

/// Counts the elements that hold a number.
/// @param x       n ints in device memory
/// @param number  the number
/// @param count   one int in device memory, raised
__global__ void count_equal(const int* x, int number, int* count) {
    if (x[blockIdx.x * blockDim.x + threadIdx.x] == number) atomicAdd(count, 1);
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    // [map-twice]
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    const auto view = [&](CUmemAccess_flags rights) {
        CUdeviceptr address = 0;
        lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
        lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
        access.flags = rights;
        lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
        return address;
    };
    const CUdeviceptr writer = view(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    const CUdeviceptr reader = view(CU_MEM_ACCESS_FLAGS_PROT_READ);
    lockstep::check(cuMemRelease(memory));
    // [/map-twice]

    // [ordered]
    lockstep::device_buffer<int> d_count(std::vector<int>{0});
    fill<<<n / 256, 256>>>(reinterpret_cast<int*>(writer), 42);
    lockstep::check(cudaGetLastError());
    count_equal<<<n / 256, 256>>>(reinterpret_cast<const int*>(reader), 42,
                                  d_count.data());
    lockstep::check(cudaGetLastError());
    // [/ordered]
    const int seen = d_count.to_host()[0];

    // [copies]
    int word = 0;
    lockstep::check(cuMemsetD32(writer, 7, n));
    lockstep::check(cuMemcpyDtoH(&word, reader + bytes - sizeof word, sizeof word));
    // [/copies]
    lockstep::report("elements", n);
    lockstep::report("a later kernel reads 42", seen);
    lockstep::report("a later copy reads", word);

    lockstep::check(cuMemUnmap(writer, bytes));
    lockstep::check(cuMemUnmap(reader, bytes));
    lockstep::check(cuMemAddressFree(writer, bytes));
    lockstep::check(cuMemAddressFree(reader, bytes));
    return seen == n && word == 7 ? EXIT_SUCCESS : EXIT_FAILURE;
}
