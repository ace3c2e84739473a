// Which mistakes on the way back does the driver refuse? Unmapping a part of a mapping,
// freeing addresses that are still mapped, or a part of them. Unmapping where nothing
// is mapped need not be one; that is only asked, as is unmapping two mappings in one
// call. All else is intact afterwards, and the right calls succeed.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    constexpr std::size_t chunk = 4 << 20;  // a multiple of the granularity, 2 MiB
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;

    bool all_refused = true;
    const auto refused = [&](const char* label, CUresult result) {
        lockstep::report(label, lockstep::name_of(result));
        all_refused = all_refused && result != CUDA_SUCCESS;
    };
    const auto asked = [](const char* label, CUresult result) {
        lockstep::report(label, lockstep::name_of(result));
    };
    // [prepare]
    CUdeviceptr range = 0;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemAddressReserve(&range, 4 * chunk, 0, 0, 0));
    lockstep::check(cuMemCreate(&memory, 2 * chunk, &properties, 0));
    lockstep::check(cuMemMap(range, 2 * chunk, 0, memory, 0));
    // [/prepare]

    // [refused]
    refused("unmap: a part", cuMemUnmap(range, chunk));
    asked("(unmap: never mapped)", cuMemUnmap(range + 2 * chunk, 2 * chunk));
    refused("free range: still mapped", cuMemAddressFree(range, 4 * chunk));
    const cudaError_t plain_free = cudaFree(reinterpret_cast<void*>(range));
    lockstep::report("cudaFree", cudaGetErrorName(plain_free));
    cudaGetLastError();  // forget it

    lockstep::check(cuMemUnmap(range, 2 * chunk));
    asked("(unmap: the second time)", cuMemUnmap(range, 2 * chunk));
    refused("free range: a part", cuMemAddressFree(range, 2 * chunk));
    refused("free range: from the middle",
            cuMemAddressFree(range + 2 * chunk, 2 * chunk));
    CUmemGenericAllocationHandle found = 0;
    refused("handle: not mapped",
            cuMemRetainAllocationHandle(&found, reinterpret_cast<void*>(range)));
    // [/refused]

    // [in-one]
    CUmemGenericAllocationHandle second = 0;
    lockstep::check(cuMemCreate(&second, 2 * chunk, &properties, 0));
    lockstep::check(cuMemMap(range, 2 * chunk, 0, memory, 0));
    lockstep::check(cuMemMap(range + 2 * chunk, 2 * chunk, 0, second, 0));
    const CUresult both = cuMemUnmap(range, 4 * chunk);  // two mappings in one call
    // [/in-one]
    asked("(unmap: two mappings)", both);
    if (both != CUDA_SUCCESS) {
        lockstep::check(cuMemUnmap(range, 2 * chunk));
        lockstep::check(cuMemUnmap(range + 2 * chunk, 2 * chunk));
    }
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cuMemRelease(second));
    lockstep::check(cuMemAddressFree(range, 4 * chunk));
    return all_refused && plain_free != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
