// How does one address stand for memory of several GPUs? A multicast object is created,
// each GPU joins it and binds memory of its own, and the object is mapped like memory.
// A kernel on each GPU then adds up an array over all of them. The program is compiled
// and not run: making such an object changes switches that other users of a machine may
// share.

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda/atomic>
#include <cuda/ptx>

#include <lockstep/device_clock.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/require_device.hpp>

/// Memory of several GPUs, and one address that stands for all of it.
struct replicas {
    CUmemGenericAllocationHandle object = 0;
    std::vector<CUmemGenericAllocationHandle> memory;  ///< one handle for each GPU
    std::size_t bytes = 0;  ///< of each handle
    CUdeviceptr address = 0;  ///< for multimem instructions
};

/// Creates memory on some GPUs, binds it to a multicast object, and maps the object.
/// @param devices  GPUs that are connected by switches
/// @param wanted   bytes on each GPU, to be rounded up
/// @return what was made; map each handle at an ordinary address, too
replicas map_on_all(const std::vector<CUdevice>& devices, std::size_t wanted) {
    // [object-size]
    CUmulticastObjectProp properties{};
    properties.numDevices = unsigned(devices.size());
    properties.size = wanted;
    CUmemAllocationProp own{};
    own.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    own.location.type = CU_MEM_LOCATION_TYPE_DEVICE;

    std::size_t unit = 0;  // a multiple of all units: the object's and the memory's
    lockstep::check(cuMulticastGetGranularity(&unit, &properties,
                                              CU_MULTICAST_GRANULARITY_MINIMUM));
    for (const CUdevice device : devices) {
        std::size_t granularity = 0;
        own.location.id = device;
        lockstep::check(cuMemGetAllocationGranularity(
            &granularity, &own, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
        unit = std::lcm(unit, granularity);
    }
    replicas made;
    made.bytes = properties.size = (wanted + unit - 1) / unit * unit;
    // [/object-size]

    // [object-members]
    lockstep::check(cuMulticastCreate(&made.object, &properties));
    for (const CUdevice device : devices)
        lockstep::check(cuMulticastAddDevice(made.object, device));
    for (const CUdevice device : devices) {
        CUmemGenericAllocationHandle memory = 0;
        own.location.id = device;
        lockstep::check(cuMemCreate(&memory, made.bytes, &own, 0));
        lockstep::check(cuMulticastBindMem(made.object, 0, memory, 0, made.bytes, 0));
        made.memory.push_back(memory);
    }
    // [/object-members]

    // [object-map]
    lockstep::check(cuMemAddressReserve(&made.address, made.bytes, unit, 0, 0));
    lockstep::check(cuMemMap(made.address, made.bytes, 0, made.object, 0));
    std::vector<CUmemAccessDesc> access(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        access[i].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[i].location.id = devices[i];
        access[i].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    lockstep::check(
        cuMemSetAccess(made.address, made.bytes, access.data(), access.size()));
    // [/object-map]
    return made;
}

// [arrive-and-wait]
/// Waits until the block has come here on every GPU, but no longer than five seconds.
/// @param counter   one word, at its multicast address
/// @param own       the same word in this GPU's replica, at its ordinary address
/// @param arrivals  value of the counter when all have arrived
/// @return whether all have arrived; the same in all threads of the block
__device__ bool arrive_and_wait(unsigned* counter, unsigned* own, unsigned arrivals) {
    __shared__ bool arrived_in_time;
    cuda::ptx::fence_proxy_alias();  // for all accesses before it
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::ptx::multimem_red(cuda::ptx::sem_release, cuda::ptx::scope_sys,
                                cuda::ptx::op_add, counter, 1u);
        cuda::ptx::fence_proxy_alias();  // for the counter
        const cuda::atomic_ref<unsigned, cuda::thread_scope_system> arrived(*own);
        const unsigned long long begin = lockstep::now_ns();
        arrived_in_time = true;
        while (arrived_in_time && arrived.load(cuda::memory_order_acquire) < arrivals)
            arrived_in_time = lockstep::now_ns() - begin < 5'000'000'000;
    }
    __syncthreads();
    return arrived_in_time;
}
// [/arrive-and-wait]

// [kernel]
/// Replaces each element of an array by its sum over all GPUs. Each GPU runs one block.
/// @param gpus      number of GPUs
/// @param gpu       which of them this one is
/// @param round     how many times the kernel has run, this time included
/// @param n         number of elements
/// @param x         n floats, at their multicast address
/// @param counters  two words, 0 before the first round, at their multicast address
/// @param own       the same words in this GPU's replica, at their ordinary address
__global__ void add_up_over_all(unsigned gpus, unsigned gpu, unsigned round, int n,
                                float* x, unsigned* counters, unsigned* own) {
    if (!arrive_and_wait(counters, own, round * gpus)) {  // then all hold their data
        if (threadIdx.x == 0) std::printf("GPU %u gave up waiting\n", gpu);
        return;
    }
    for (int i = gpu * blockDim.x + threadIdx.x; i < n; i += gpus * blockDim.x) {
        const std::size_t at = __cvta_generic_to_global(x + i);
        float sum = 0;
        asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];"
                     : "=f"(sum)
                     : "l"(at)
                     : "memory");
        asm volatile("multimem.st.relaxed.sys.global.f32 [%0], %1;"
                     :
                     : "l"(at), "f"(sum)
                     : "memory");
    }
    if (!arrive_and_wait(counters + 1, own + 1, round * gpus) && threadIdx.x == 0)
        std::printf("GPU %u has no complete sums\n", gpu);
}
// [/kernel]

int main() {
    lockstep::require_device(90, 2);
    std::fprintf(stderr, "this program only shows the calls; it makes no object\n");
    return lockstep::no_device_status;
}
