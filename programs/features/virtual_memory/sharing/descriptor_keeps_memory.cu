// When is exported memory returned? A descriptor refers to the memory like a handle or
// a mapping does. A process that forgets to close one keeps the memory, although it has
// released everything that it got from CUDA.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_memory.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr auto by_descriptor = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    const long long before = lockstep::free_memory();
    const auto taken = [&](const char* step) {
        const long long bytes = before - lockstep::free_memory();
        const long long rounded = (bytes + 16 * mib) / (32 * mib) * 32;  // to 32 MiB
        lockstep::report(step, rounded, "MiB");
        return rounded;
    };
    // [steps]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.requestedHandleTypes = by_descriptor;
    CUmemGenericAllocationHandle memory = 0, imported = 0;
    int descriptor = -1;
    lockstep::check(cuMemCreate(&memory, 512 * mib, &properties, 0));
    lockstep::check(
        cuMemExportToShareableHandle(&descriptor, memory, by_descriptor, 0));
    lockstep::check(cuMemRelease(memory));
    bool right = taken("released, descriptor open") == 512;

    void* by_value = reinterpret_cast<void*>(std::intptr_t{descriptor});
    lockstep::check(cuMemImportFromShareableHandle(&imported, by_value, by_descriptor));
    close(descriptor);
    right &= taken("imported, descriptor closed") == 512;

    lockstep::check(cuMemRelease(imported));
    right &= taken("released again") == 0;
    // [/steps]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
