// Can an array that holds more than half of the free memory grow at all? A new
// allocation and a copy need old and new array at the same time, so they fail. Mapping
// more memory needs the addition alone; a kernel then reads the whole array. A growth
// that is refused leaves the array as it was.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t growth = 64 * mib;

constexpr unsigned old_value = 42;
constexpr unsigned new_value = 43;

// [kernel]
__device__ unsigned long long wrong_words = 0;

/// Counts the words of an array that are not what they were filled with.
/// @param n    number of words
/// @param old  number of words that were there before the growth
/// @param x    n words in device memory
__global__ void count_wrong(std::size_t n, std::size_t old, const unsigned* x) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        if (x[i] != (i < old ? old_value : new_value)) atomicAdd(&wrong_words, 1ull);
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
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, held + growth, 0, 0, 0));
    std::size_t mapped = 0;
    // [map]
    const auto grow = [&](std::size_t more, unsigned value) {
        CUmemGenericAllocationHandle memory = 0;
        const CUresult error = cuMemCreate(&memory, more, &properties, 0);
        if (error) return error;  // nothing has changed
        lockstep::check(cuMemMap(address + mapped, more, 0, memory, 0));
        lockstep::check(cuMemRelease(memory));
        lockstep::check(cuMemSetAccess(address + mapped, more, &access, 1));
        lockstep::check(cuMemsetD32(address + mapped, value, more / sizeof(unsigned)));
        mapped += more;
        return error;
    };
    // [/map]
    const auto wrong_ones = [&] {
        const unsigned long long none = 0;
        lockstep::check(cudaMemcpyToSymbol(wrong_words, &none, sizeof none));
        count_wrong<<<2048, 256>>>(mapped / sizeof(unsigned), held / sizeof(unsigned),
                                   reinterpret_cast<const unsigned*>(address));
        lockstep::check(cudaGetLastError());
        unsigned long long wrong = 1;
        lockstep::check(cudaMemcpyFromSymbol(&wrong, wrong_words, sizeof wrong));
        return wrong;
    };
    // [growths]
    lockstep::check(grow(held, old_value));
    const CUresult grown = grow(growth, new_value);
    const unsigned long long wrong = wrong_ones();
    const CUresult too_much = grow(total / growth * growth, new_value);
    const unsigned long long wrong_after = wrong_ones();
    // [/growths]
    lockstep::report("more memory", lockstep::name_of(grown));
    lockstep::report("wrong words", wrong);
    lockstep::report("as much as the GPU has", lockstep::name_of(too_much));
    lockstep::report("wrong words after that", wrong_after);

    lockstep::check(cuMemUnmap(address, held));
    if (!grown) lockstep::check(cuMemUnmap(address + held, growth));
    lockstep::check(cuMemAddressFree(address, held + growth));
    const bool right = refused == cudaErrorMemoryAllocation && !grown &&
                       too_much == CUDA_ERROR_OUT_OF_MEMORY && wrong == 0 &&
                       wrong_after == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
