// A ring buffer ends somewhere, and a window of elements that begins near the end goes
// on at the beginning. If the same memory is mapped a second time, directly after the
// first, every window is one contiguous piece of addresses. Add the second mapping.

#include <cstddef>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 2 << 20;  // the granularity on the GPUs of this site
constexpr int n = bytes / sizeof(int);
constexpr int window = 200;

/// Adds up the window that begins at each element; it never wraps around.
/// @param ring  2 * n ints in device memory, the second half being the first
/// @param sums  n ints, written
__global__ void sum_windows(const int* ring, int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < window; ++k) sum += ring[i + k];
    sums[i] = sum;
}

/// Maps the memory of the ring to a range, twice in a row.
/// @param address  begin of a reserved range of 2 * bytes
/// @param memory   the memory, of as many bytes
/// @param access   who may use it
/// @return the first error, or CUDA_SUCCESS
CUresult map_ring(CUdeviceptr address, CUmemGenericAllocationHandle memory,
                  const CUmemAccessDesc& access) {
    CUresult error = cuMemMap(address, bytes, 0, memory, 0);
    // [task]
    if (!error) error = cuMemMap(address + bytes, bytes, 0, memory, 0);
    if (!error) error = cuMemSetAccess(address, 2 * bytes, &access, 1);
    //= given
    //| // The second half of the range must show the same memory.
    //| if (!error) error = cuMemSetAccess(address, bytes, &access, 1);
    //= mutant half_of_the_rights
    //| if (!error) error = cuMemMap(address + bytes, bytes, 0, memory, 0);
    //| if (!error) error = cuMemSetAccess(address, bytes, &access, 1);
    //= mutant twice_as_large
    //| if (!error) error = cuMemUnmap(address, bytes);
    //| if (!error) error = cuMemMap(address, 2 * bytes, 0, memory, 0);
    //| if (!error) error = cuMemSetAccess(address, 2 * bytes, &access, 1);
    //= mutant other_memory
    //| CUmemAllocationProp properties{};
    //| properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    //| properties.location = access.location;
    //| CUmemGenericAllocationHandle more = 0;
    //| if (!error) error = cuMemCreate(&more, bytes, &properties, 0);
    //| if (!error) error = cuMemMap(address + bytes, bytes, 0, more, 0);
    //| if (!error) error = cuMemSetAccess(address, 2 * bytes, &access, 1);
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
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));

    lockstep::exercise_verdict verdict(-1);
    const CUresult error = map_ring(address, memory, access);
    verdict.holds("calls succeeded", !error, lockstep::name_of(error));
    const auto usable = [&](CUdeviceptr half) {
        unsigned long long rights = 0;
        const CUresult asked = cuMemGetAccess(&rights, &access.location, half);
        return !asked && rights == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    };
    const bool first = usable(address), second = usable(address + bytes);
    verdict.holds("first half can be used", first,
                  "a kernel would fault: it is not mapped, or has no access");
    verdict.holds("second half can be used", second,
                  "a kernel would fault: it is not mapped, or has no access");
    if (error || !first || !second) return verdict.finish();

    std::vector<int> ring(n), expected(n);
    for (int i = 0; i < n; ++i) ring[i] = static_cast<int>(i * 7919u % 1009u);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < window; ++k) expected[i] += ring[(i + k) % n];
    int* d_ring = reinterpret_cast<int*>(address);
    lockstep::check(cudaMemset(d_ring + n, 0, bytes));
    lockstep::check(cudaMemcpy(d_ring, ring.data(), bytes, cudaMemcpyHostToDevice));
    lockstep::device_buffer<int> d_sums(n);
    d_sums.fill_bytes(0xFF);
    sum_windows<<<n / 256, 256>>>(d_ring, d_sums.data());
    lockstep::check(cudaGetLastError());
    verdict.equal("sum of each window", d_sums.to_host(), expected,
                  lockstep::numbered("the sum of window"));
    return verdict.finish();
}
