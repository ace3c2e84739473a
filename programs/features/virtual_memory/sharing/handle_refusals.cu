// Which mistakes with shareable handles does the driver refuse? Exporting what was not
// created for it, asking for a kind of handle that the memory or the system does not
// have, and importing something else than an open descriptor of memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr auto by_descriptor = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// Imports memory, and releases it if that succeeded.
/// @param handle  what the driver is to take for a descriptor
CUresult import_memory(void* handle) {
    CUmemGenericAllocationHandle memory = 0;
    const CUresult result =
        cuMemImportFromShareableHandle(&memory, handle, by_descriptor);
    if (result == CUDA_SUCCESS) lockstep::check(cuMemRelease(memory));
    return result;
}

/// A descriptor, passed in the place of a pointer.
void* by_value(int descriptor) {
    return reinterpret_cast<void*>(std::intptr_t{descriptor});
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    constexpr std::size_t bytes = 4 << 20;  // a multiple of the granularity, 2 MiB
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemGenericAllocationHandle own = 0, shared = 0, refused_memory = 0;
    lockstep::check(cuMemCreate(&own, bytes, &properties, 0));

    bool all_refused = true;
    const auto refused = [&](const char* label, CUresult result) {
        lockstep::report(label, lockstep::name_of(result));
        all_refused = all_refused && result != CUDA_SUCCESS;
    };
    int descriptor = -1;
    // [export]
    refused("export: not requested",
            cuMemExportToShareableHandle(&descriptor, own, by_descriptor, 0));
    CUmemAllocationProp wrong = properties;
    wrong.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;  // needs Windows
    refused("create: Win32 handle", cuMemCreate(&refused_memory, bytes, &wrong, 0));
    wrong.requestedHandleTypes = by_descriptor;
    wrong.location.type = CU_MEM_LOCATION_TYPE_HOST;
    refused("create: host, descriptor", cuMemCreate(&refused_memory, bytes, &wrong, 0));

    properties.requestedHandleTypes = by_descriptor;
    lockstep::check(cuMemCreate(&shared, bytes, &properties, 0));
    CUmemFabricHandle fabric{};
    refused("export: another kind", cuMemExportToShareableHandle(
                                        &fabric, shared, CU_MEM_HANDLE_TYPE_FABRIC, 0));
    // [/export]

    // [import]
    lockstep::check(
        cuMemExportToShareableHandle(&descriptor, shared, by_descriptor, 0));
    refused("import: its address", import_memory(&descriptor));
    const int other = open("/dev/null", O_RDWR);
    refused("import: other descriptor", import_memory(by_value(other)));
    const CUresult right = import_memory(by_value(descriptor));
    lockstep::report("import: its value", lockstep::name_of(right));
    close(descriptor);
    refused("import: closed descriptor", import_memory(by_value(descriptor)));
    // [/import]
    close(other);
    lockstep::check(cuMemRelease(own));
    lockstep::check(cuMemRelease(shared));
    return all_refused && right == CUDA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
