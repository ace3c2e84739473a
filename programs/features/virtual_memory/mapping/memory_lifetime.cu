// Which of the steps takes memory, and which one gives it back? Reserving 256 GiB takes
// none that the program can see. Creating takes it. It is returned when neither a
// handle nor a mapping refers to it: releasing the handle early is allowed, and the
// mapping goes on working.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_memory.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t gib = 1024 * mib;

/// Reads one word of device memory.
int word_at(CUdeviceptr address) {
    int word = 0;
    lockstep::check(cudaMemcpy(&word, reinterpret_cast<void*>(address), sizeof word,
                               cudaMemcpyDeviceToHost));
    return word;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

    // [taken]
    const long long before = lockstep::free_memory();
    const auto taken = [&](const char* step) {
        const long long bytes = before - lockstep::free_memory();
        const long long rounded = (bytes + 16 * mib) / (32 * mib) * 32;  // to 32 MiB
        lockstep::report(step, rounded, "MiB");
        return rounded;
    };
    // [/taken]

    // [steps]
    constexpr std::size_t range = 256 * gib, bytes = 512 * mib;
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, range, 0, 0, 0));
    bool right = taken("after reserving 256 GiB") == 0;

    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    right &= taken("after creating 512 MiB") == 512;

    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    lockstep::check(cuMemsetD32(address, 42, bytes / sizeof(int)));
    right &= taken("after mapping") == 512;

    lockstep::check(cuMemRelease(memory));  // the mapping still refers to it
    right &= taken("after releasing the handle") == 512;
    const int word = word_at(address + bytes - sizeof(int));
    lockstep::report("last word, after that", word);

    lockstep::check(cuMemUnmap(address, bytes));
    right &= taken("after unmapping") == 0;
    lockstep::check(cuMemAddressFree(address, range));
    // [/steps]
    return right && word == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
