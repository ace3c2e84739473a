// Which processor can use memory of which allocator? For ten allocators the program
// asks the runtime what the pointer is, lets the kernel write where the runtime names a
// device pointer, and lets the CPU write where it names a host pointer.

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 4096;

/// Adds one.
/// @param word  one int that the GPU can reach
__global__ void increment_word(int* word) { *word += 1; }

/// What the runtime calls a pointer.
/// @param of  its attributes
const char* type_name(const cudaPointerAttributes& of) {
    return of.type == cudaMemoryTypeManaged  ? "managed"
           : of.type == cudaMemoryTypeHost   ? "host"
           : of.type == cudaMemoryTypeDevice ? "device"
                                             : "unregistered";
}

/// Uses memory from both sides, as far as the runtime says that they may.
/// @param name  of the allocator
/// @param data  from it
/// @return whether each access did what it should
bool use(const char* name, void* data) {
    // [use]
    cudaPointerAttributes of{};
    lockstep::check(cudaPointerGetAttributes(&of, data));
    const bool by_cpu = of.hostPointer || of.type == cudaMemoryTypeUnregistered;
    const bool by_gpu = of.devicePointer != nullptr;
    int word = 41;
    if (by_cpu)
        *static_cast<int*>(data) = word;
    else
        lockstep::check(cudaMemcpy(data, &word, sizeof word, cudaMemcpyDefault));
    if (by_gpu) {
        increment_word<<<1, 1>>>(static_cast<int*>(of.devicePointer));
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    }
    lockstep::check(cudaMemcpy(&word, data, sizeof word, cudaMemcpyDefault));
    // [/use]
    const std::string line = std::string(type_name(of)) + ", used by " +
                             (by_cpu ? by_gpu ? "CPU and GPU" : "CPU" : "GPU");
    lockstep::report(name, line.c_str());
    return word == (by_gpu ? 42 : 41);
}

/// A pool whose memory lies in one place.
/// @param where  the place
cudaMemPool_t pool_in(cudaMemLocation where) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = where;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    return pool;
}

int main() {
    lockstep::require_device();
    bool right = true;
    void* data = nullptr;
    // [system]
    data = std::malloc(bytes);
    right &= use("malloc", data);
    lockstep::check(cudaHostRegister(data, bytes, cudaHostRegisterDefault));
    right &= use("malloc + cudaHostRegister", data);
    lockstep::check(cudaHostUnregister(data));
    std::free(data);
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0);
    right &= use("mmap", data);
    munmap(data, bytes);
    // [/system]
    // [cuda]
    lockstep::check(cudaMallocManaged(&data, bytes));
    right &= use("cudaMallocManaged", data);
    lockstep::check(cudaFree(data));
    lockstep::check(cudaMalloc(&data, bytes));
    right &= use("cudaMalloc", data);
    lockstep::check(cudaFree(data));
    lockstep::check(cudaMallocHost(&data, bytes));
    right &= use("cudaMallocHost", data);
    lockstep::check(cudaFreeHost(data));
    lockstep::check(cudaHostAlloc(&data, bytes, cudaHostAllocMapped));
    right &= use("cudaHostAlloc", data);
    lockstep::check(cudaFreeHost(data));
    // [/cuda]
    // [pools]
    lockstep::check(cudaMallocAsync(&data, bytes, nullptr));
    right &= use("cudaMallocAsync", data);
    lockstep::check(cudaFreeAsync(data, nullptr));
    for (const bool on_host : {false, true}) {
        const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
        const cudaMemLocation node{cudaMemLocationTypeHostNuma, 0};
        cudaMemPool_t pool = pool_in(on_host ? node : gpu);
        if (on_host) {
            const cudaMemAccessDesc access{gpu, cudaMemAccessFlagsProtReadWrite};
            lockstep::check(cudaMemPoolSetAccess(pool, &access, 1));
        }
        lockstep::check(cudaMallocFromPoolAsync(&data, bytes, pool, nullptr));
        lockstep::check(cudaStreamSynchronize(nullptr));
        right &= use(on_host ? "pool on the host" : "pool on the device", data);
        lockstep::check(cudaFreeAsync(data, nullptr));
        lockstep::check(cudaStreamSynchronize(nullptr));
        lockstep::check(cudaMemPoolDestroy(pool));
    }
    // [/pools]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
