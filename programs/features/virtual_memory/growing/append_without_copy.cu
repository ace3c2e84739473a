// An array is made of four chunks of memory, each directly after the one before, so
// that one pointer reaches all of them. Give new memory its place in the function that
// adds a chunk. At the end of the program, everything is unmapped; the memory of
// all chunks must then be free again, and no other code will release a handle for you.

#include <cstddef>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_memory.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int chunks = 4;
constexpr std::size_t chunk_bytes = 64 << 20;  // a multiple of the granularity

/// Writes its index into each element.
/// @param n  number of elements
/// @param x  n ints in device memory, written
__global__ void number_elements(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

/// Maps another chunk of memory to the first address that has none yet.
/// @param address     begin of a reserved range with room for all chunks
/// @param mapped      bytes that are mapped already, from the begin on
/// @param properties  how to create memory
/// @param access      who may use it
/// @return the first error, or CUDA_SUCCESS
CUresult add_chunk(CUdeviceptr address, std::size_t mapped,
                   const CUmemAllocationProp& properties,
                   const CUmemAccessDesc& access) {
    CUmemGenericAllocationHandle memory = 0;
    if (const CUresult error = cuMemCreate(&memory, chunk_bytes, &properties, 0))
        return error;
    CUresult error = CUDA_SUCCESS;
    // [task]
    error = cuMemMap(address + mapped, chunk_bytes, 0, memory, 0);
    if (!error) error = cuMemSetAccess(address + mapped, chunk_bytes, &access, 1);
    const CUresult released = cuMemRelease(memory);
    if (!error) error = released;
    //= given
    //| // Give this memory its place after the others, let the device use it, and leave
    //| // no handle open.
    //| (void)address;
    //| (void)mapped;
    //| (void)access;
    //= mutant over_the_first
    //| (void)mapped;
    //| error = cuMemMap(address, chunk_bytes, 0, memory, 0);
    //| if (!error) error = cuMemSetAccess(address, chunk_bytes, &access, 1);
    //| cuMemRelease(memory);
    //= mutant no_access
    //| error = cuMemMap(address + mapped, chunk_bytes, 0, memory, 0);
    //| (void)access;
    //| cuMemRelease(memory);
    //= mutant access_to_the_first
    //| error = cuMemMap(address + mapped, chunk_bytes, 0, memory, 0);
    //| if (!error) error = cuMemSetAccess(address, chunk_bytes, &access, 1);
    //| cuMemRelease(memory);
    //= mutant open_handle
    //| error = cuMemMap(address + mapped, chunk_bytes, 0, memory, 0);
    //| if (!error) error = cuMemSetAccess(address + mapped, chunk_bytes, &access, 1);
    // [/task]
    return error;
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
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, chunks * chunk_bytes, 0, 0, 0));

    const std::size_t before = lockstep::free_memory();
    CUresult first_error = CUDA_SUCCESS;
    std::string refused;
    for (int i = 0; i < chunks; ++i) {
        const CUresult error = add_chunk(address, i * chunk_bytes, properties, access);
        if (!first_error && error) {
            first_error = error;
            refused = "adding chunk " + std::to_string(i) + " returned " +
                      lockstep::name_of(error);
        }
    }
    int usable = 0;  // chunks before the first one that cannot be used
    for (; usable < chunks; ++usable) {
        unsigned long long rights = 0;
        const CUresult asked =
            cuMemGetAccess(&rights, &access.location, address + usable * chunk_bytes);
        if (asked || rights != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) break;
    }

    lockstep::exercise_verdict verdict;
    verdict.holds("calls succeeded", !first_error, refused.c_str());
    const std::string advice = "a kernel would fault: chunk " + std::to_string(usable) +
                               " is not mapped, or has no access";
    verdict.holds("all chunks can be used", usable == chunks, advice.c_str());
    if (usable == chunks) {  // otherwise the kernel would end the program
        constexpr int n = chunks * chunk_bytes / sizeof(int);
        std::vector<int> found(n, -1), expected(n);
        for (int i = 0; i < n; ++i) expected[i] = i;
        int* x = reinterpret_cast<int*>(address);
        number_elements<<<n / 256, 256>>>(n, x);
        lockstep::check(cudaGetLastError());
        lockstep::check(
            cudaMemcpy(found.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost));
        verdict.equal(
            "elements", found, expected,
            lockstep::in_groups(chunk_bytes / sizeof(int), "chunk", "element"));
    }
    // refused where the task has mapped nothing; the next lines find what that means
    for (int i = 0; i < chunks; ++i) cuMemUnmap(address + i * chunk_bytes, chunk_bytes);
    verdict.holds("memory was returned", lockstep::free_memory() + chunk_bytes > before,
                  "a handle is still open: nothing is mapped, but memory is taken");
    return verdict.finish();
}
