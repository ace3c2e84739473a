// Can an array that holds more than half of the free memory grow at all? A new
// allocation and a copy need old and new array at the same time, so they fail. Mapping
// more memory needs the addition alone; a kernel then reads the whole array.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t growth = 64 * mib;

// [kernel]
__device__ unsigned long long wrong_words = 0;

/// Counts the words of an array that are not 42.
/// @param n  number of words
/// @param x  n words in device memory
__global__ void count_wrong(std::size_t n, const unsigned* x) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        if (x[i] != 42) atomicAdd(&wrong_words, 1ull);
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    std::size_t unused = 0, total = 0;
    lockstep::check(cudaMemGetInfo(&unused, &total));
    const std::size_t held = unused / 100 * 55 / growth * growth;  // 55 %

    // [copy]
    void* old = nullptr;
    void* larger = nullptr;
    lockstep::check(cudaMalloc(&old, held));
    const cudaError_t refused = cudaMalloc(&larger, held + growth);
    lockstep::report("new allocation", cudaGetErrorName(refused));
    cudaGetLastError();  // forget it
    lockstep::check(cudaFree(old));
    // [/copy]

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    // [map]
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, held + growth, 0, 0, 0));
    CUmemGenericAllocationHandle first = 0;
    CUmemGenericAllocationHandle second = 0;
    lockstep::check(cuMemCreate(&first, held, &properties, 0));
    lockstep::check(cuMemMap(address, held, 0, first, 0));
    lockstep::check(cuMemSetAccess(address, held, &access, 1));
    lockstep::check(cuMemsetD32(address, 42, held / sizeof(unsigned)));

    const CUresult created = cuMemCreate(&second, growth, &properties, 0);
    lockstep::report("more memory", lockstep::name_of(created));
    lockstep::check(created);
    lockstep::check(cuMemMap(address + held, growth, 0, second, 0));
    lockstep::check(cuMemSetAccess(address + held, growth, &access, 1));
    lockstep::check(cuMemsetD32(address + held, 42, growth / sizeof(unsigned)));

    const std::size_t n = (held + growth) / sizeof(unsigned);
    count_wrong<<<2048, 256>>>(n, reinterpret_cast<const unsigned*>(address));
    lockstep::check(cudaGetLastError());
    unsigned long long wrong = 1;
    lockstep::check(cudaMemcpyFromSymbol(&wrong, wrong_words, sizeof wrong));
    // [/map]
    lockstep::report("wrong words", wrong);

    lockstep::check(cuMemUnmap(address, held));
    lockstep::check(cuMemUnmap(address + held, growth));
    lockstep::check(cuMemRelease(first));
    lockstep::check(cuMemRelease(second));
    lockstep::check(cuMemAddressFree(address, held + growth));
    const bool right = refused == cudaErrorMemoryAllocation && wrong == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
