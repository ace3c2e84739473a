// What can a library learn of memory to which it got a pointer, and nothing else? It
// asks for the handle of the memory that is mapped there, for its properties, and for
// start and size of the mapping: before access is set, and after. The handle that it
// gets is a further reference, to be released.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    void* malloced = nullptr;
    lockstep::check(cudaMalloc(&malloced, 4 << 20));

    constexpr std::size_t bytes = 4 << 20;  // a multiple of the granularity, 2 MiB
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle created = 0;
    CUdeviceptr address = 0;
    lockstep::check(cuMemCreate(&created, bytes, &properties, 0));
    lockstep::check(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, created, 0));  // the first half
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

    // [ask]
    void* somewhere = reinterpret_cast<void*>(address + 1000);  // not the start
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemRetainAllocationHandle(&memory, somewhere));
    CUmemAllocationProp found{};
    lockstep::check(cuMemGetAllocationPropertiesFromHandle(&found, memory));
    // [/ask]
    const bool on_device_0 =
        found.location.type == CU_MEM_LOCATION_TYPE_DEVICE && found.location.id == 0;
    const bool exportable =
        found.requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    lockstep::report("same handle as cuMemCreate", memory == created);
    lockstep::report("memory of device 0", on_device_0);
    lockstep::report("exportable as descriptor", exportable);

    // [range]
    CUdeviceptr begin = 0;
    std::size_t size = 0;
    const CUresult early = cuMemGetAddressRange(&begin, &size, address + 1000);
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    const CUresult later = cuMemGetAddressRange(&begin, &size, address + 1000);
    // [/range]
    lockstep::report("range, access not set", lockstep::name_of(early));
    lockstep::report("range, access set", lockstep::name_of(later));
    lockstep::report("  start of the mapping", begin == address);
    lockstep::report("  size", size / 1024, "KiB");

    // [malloced]
    CUmemGenericAllocationHandle none = 0;
    const CUresult refused = cuMemRetainAllocationHandle(&none, malloced);
    // [/malloced]
    lockstep::report("handle of cudaMalloc memory", lockstep::name_of(refused));

    lockstep::check(cuMemUnmap(address, bytes));
    lockstep::check(cuMemRelease(memory));   // of the question
    lockstep::check(cuMemRelease(created));  // of the creation
    lockstep::check(cuMemAddressFree(address, 2 * bytes));
    lockstep::check(cudaFree(malloced));
    return memory == created && on_device_0 && exportable ? EXIT_SUCCESS : EXIT_FAILURE;
}
