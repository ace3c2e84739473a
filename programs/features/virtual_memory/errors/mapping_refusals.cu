// Which mistakes on the way to mapped memory does the driver refuse, and with which
// result? Wrong sizes and properties when memory is created, wrong ranges when
// addresses are reserved, mapped, and given access.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    void* malloced = nullptr;
    constexpr std::size_t chunk = 4 << 20;  // a multiple of the granularity, 2 MiB
    lockstep::check(cudaMalloc(&malloced, 4 * chunk));

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

    bool all_refused = true;
    const auto refused = [&](const char* label, CUresult result) {
        lockstep::report(label, lockstep::name_of(result));
        all_refused = all_refused && result != CUDA_SUCCESS;
    };
    // [create]
    CUmemGenericAllocationHandle memory = 0;
    refused("create: odd size", cuMemCreate(&memory, chunk + 1, &properties, 0));
    refused("create: 1 PiB",
            cuMemCreate(&memory, std::size_t{1} << 50, &properties, 0));
    CUmemAllocationProp wrong = properties;
    wrong.type = CU_MEM_ALLOCATION_TYPE_INVALID;  // as if it had been forgotten
    refused("create: no type", cuMemCreate(&memory, chunk, &wrong, 0));
    wrong = properties;
    wrong.location.id = devices;  // the last device is devices - 1
    refused("create: no such device", cuMemCreate(&memory, chunk, &wrong, 0));
    // [/create]

    // [reserve]
    CUdeviceptr range = 0;
    CUdeviceptr freed = 0;
    refused("reserve: odd size", cuMemAddressReserve(&range, chunk + 1, 0, 0, 0));
    refused("reserve: alignment 3 MiB",
            cuMemAddressReserve(&range, chunk, 3 << 20, 0, 0));
    // [/reserve]

    // [prepare]
    lockstep::check(cuMemAddressReserve(&freed, 2 * chunk, 0, 0, 0));
    lockstep::check(cuMemAddressReserve(&range, 4 * chunk, 0, 0, 0));
    lockstep::check(cuMemAddressFree(freed, 2 * chunk));  // last, so range is elsewhere
    lockstep::check(cuMemCreate(&memory, 2 * chunk, &properties, 0));
    const auto aligned = (reinterpret_cast<CUdeviceptr>(malloced) + chunk - 1) / chunk;
    // [/prepare]
    // [map]
    refused("map: without a reservation", cuMemMap(freed, 2 * chunk, 0, memory, 0));
    refused("map: over cudaMalloc", cuMemMap(aligned * chunk, 2 * chunk, 0, memory, 0));
    refused("map: odd address", cuMemMap(range + 4096, 2 * chunk, 0, memory, 0));
    refused("map: more than was created", cuMemMap(range, 4 * chunk, 0, memory, 0));
    refused("set access: not mapped", cuMemSetAccess(range, 2 * chunk, &access, 1));

    lockstep::check(cuMemMap(range, 2 * chunk, 0, memory, 0));
    refused("map: over a mapping", cuMemMap(range, 2 * chunk, 0, memory, 0));
    // [/map]
    // [access]
    refused("set access: half mapped", cuMemSetAccess(range, 4 * chunk, &access, 1));
    CUmemAccessDesc foreign = access;
    foreign.location.id = devices;
    refused("set access: no such device",
            cuMemSetAccess(range, 2 * chunk, &foreign, 1));
    unsigned long long flags = 0;
    refused("get access: not mapped",
            cuMemGetAccess(&flags, &access.location, range + 2 * chunk));
    // [/access]

    // [parts]
    const CUresult part = cuMemSetAccess(range, chunk, &access, 1);
    lockstep::check(cuMemUnmap(range, 2 * chunk));
    const CUresult begin = cuMemMap(range, chunk, 0, memory, 0);
    if (begin == CUDA_SUCCESS) lockstep::check(cuMemUnmap(range, chunk));
    const CUresult end = cuMemMap(range, chunk, chunk, memory, 0);  // from an offset
    if (end == CUDA_SUCCESS) lockstep::check(cuMemUnmap(range, chunk));
    // [/parts]
    lockstep::report("(set access: a part)", lockstep::name_of(part));
    lockstep::report("(map: the first half)", lockstep::name_of(begin));
    lockstep::report("(map: the second half)", lockstep::name_of(end));
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cuMemAddressFree(range, 4 * chunk));
    lockstep::check(cudaFree(malloced));
    return all_refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
