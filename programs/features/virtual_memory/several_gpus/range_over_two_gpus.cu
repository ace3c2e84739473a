// How do several GPUs share single allocations? Access is set for each mapping and each
// device. One range holds memory of two GPUs and is open to both, so each sees one
// array; another allocation of the second GPU stays closed to the first one. What may
// go wrong is tried by children: a fault ends all GPU work of its process.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t half = 4 << 20;  // a multiple of the granularity, 2 MiB
constexpr int n = 2 * half / sizeof(int);

/// Writes its index into each element.
/// @param x  n ints in the memory of two devices, written
__global__ void number_elements(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}

/// Counts the elements that hold their index.
/// @param x      as many ints in device memory as the grid has threads
/// @param count  one int in memory of the device that runs the kernel, added to
__global__ void count_right(const int* x, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] == i) atomicAdd(count, 1);
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

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { none, one_copy, read_closed };
    const int attempt = options.choice("attempt", {"none", "one-copy", "read-closed"});
    options.finish();
    lockstep::require_device(0, 2);
    int reachable[2] = {};
    lockstep::check(cudaDeviceCanAccessPeer(&reachable[0], 0, 1));
    lockstep::check(cudaDeviceCanAccessPeer(&reachable[1], 1, 0));
    if (attempt == none)
        lockstep::report("GPUs reach each other", reachable[0] && reachable[1]);
    if (!reachable[0] || !reachable[1]) return EXIT_SUCCESS;
    lockstep::device_buffer<int> d_scratch(1);  // on device 0
    lockstep::check(cudaSetDevice(1));
    lockstep::device_buffer<int> d_count(std::vector<int>{0});  // on device 1
    lockstep::check(cudaSetDevice(0));

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
    for (CUdeviceptr part : {range, range + half})
        lockstep::check(cuMemSetAccess(part, half, access, 2));  // both devices
    lockstep::check(cuMemSetAccess(closed, half, access + 1, 1));  // device 1 alone
    // [/map]

    // [write]
    int* x = reinterpret_cast<int*>(range);
    number_elements<<<n / 256, 256>>>(x);  // on device 0
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/write]
    std::vector<int> copied(n, -1);
    const auto right_on_host = [&] {
        int right = 0;
        for (int i = 0; i < n; ++i) right += copied[i] == i;
        return right;
    };
    if (attempt != none) {
        // [attempts]
        cudaError_t error = cudaSuccess;
        if (attempt == one_copy)
            error = cudaMemcpy(copied.data(), x, 2 * half, cudaMemcpyDefault);
        else  // device 0 reads and counts; d_scratch lies there
            count_right<<<1, 1>>>(reinterpret_cast<int*>(closed), d_scratch.data());
        if (error == cudaSuccess) error = cudaGetLastError();
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        // [/attempts]
        std::printf("%s", cudaGetErrorName(error));
        if (attempt == one_copy) std::printf(", %d right", right_on_host());
        return EXIT_SUCCESS;
    }

    // [read]
    for (int begin : {0, n / 2})
        lockstep::check(
            cudaMemcpy(copied.data() + begin, x + begin, half, cudaMemcpyDefault));
    lockstep::check(cudaSetDevice(1));
    count_right<<<n / 256, 256>>>(x, d_count.data());  // on device 1
    lockstep::check(cudaGetLastError());
    const int on_host = right_on_host(), on_device_1 = d_count.to_host()[0];
    lockstep::check(cudaSetDevice(0));
    // [/read]
    // [rights]
    unsigned long long shared = 0, closed_here = 0;
    lockstep::check(cuMemGetAccess(&shared, &access[0].location, range + half));
    lockstep::check(cuMemGetAccess(&closed_here, &access[0].location, closed));
    // [/rights]
    lockstep::report("elements", n);
    lockstep::report("right, a copy for each half", on_host);
    lockstep::report("right, kernel on device 1", on_device_1);
    lockstep::report("rights in the shared range", shared);
    lockstep::report("rights in the closed one", closed_here);
    const auto child = [&](const char* label, const char* name) {
        const std::string said =
            lockstep::output_of(argv[0], std::string("--attempt ") + name);
        lockstep::report(label, said.empty() ? "no answer" : said.c_str());
    };
    child("one copy of both halves", "one-copy");
    child("device 0 reads closed one", "read-closed");

    for (CUdeviceptr part : {range, range + half, closed})
        lockstep::check(cuMemUnmap(part, half));
    lockstep::check(cuMemAddressFree(range, 2 * half));
    lockstep::check(cuMemAddressFree(closed, half));
    const bool right = on_host == n && on_device_1 == n;
    return right && shared == 3 && closed_here == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
