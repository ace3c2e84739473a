// A kernel gets one pointer, once and for all. Two pieces of memory are to be mapped
// there in turn, so that the same pointer shows the one or the other. Write the
// function that exchanges the memory beneath the pointer.

#include <cstddef>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 4 << 20;  // a multiple of the granularity, 2 MiB
constexpr int n = bytes / sizeof(int);

/// Adds a number to each element.
/// @param x       n ints in device memory, changed
/// @param number  the number
__global__ void add(int* x, int number) {
    x[blockIdx.x * blockDim.x + threadIdx.x] += number;
}

/// Maps other memory to a range that is mapped already. The GPU is idle.
/// @param address  begin of the range
/// @param other    the memory that is to be seen there, as large as the range
/// @param access   who may use it afterwards
/// @return the first error, or CUDA_SUCCESS
CUresult show(CUdeviceptr address, CUmemGenericAllocationHandle other,
              const CUmemAccessDesc& access) {
    CUresult error = CUDA_SUCCESS;
    // [task]
    error = cuMemUnmap(address, bytes);
    if (!error) error = cuMemMap(address, bytes, 0, other, 0);
    if (!error) error = cuMemSetAccess(address, bytes, &access, 1);
    //= given
    //| // What is mapped there must go first. Rights belong to a mapping.
    //| (void)address;
    //| (void)other;
    //| (void)access;
    //= mutant over_the_old
    //| error = cuMemMap(address, bytes, 0, other, 0);
    //| if (!error) error = cuMemSetAccess(address, bytes, &access, 1);
    //= mutant rights_lost
    //| error = cuMemUnmap(address, bytes);
    //| if (!error) error = cuMemMap(address, bytes, 0, other, 0);
    //| (void)access;
    //= mutant rights_first
    //| error = cuMemSetAccess(address, bytes, &access, 1);
    //| if (!error) error = cuMemUnmap(address, bytes);
    //| if (!error) error = cuMemMap(address, bytes, 0, other, 0);
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
    CUmemGenericAllocationHandle first = 0;
    CUmemGenericAllocationHandle second = 0;
    lockstep::check(cuMemCreate(&first, bytes, &properties, 0));
    lockstep::check(cuMemCreate(&second, bytes, &properties, 0));
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, second, 0));
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    lockstep::check(cuMemsetD32(address, 1000, n));
    lockstep::check(cudaDeviceSynchronize());

    const auto usable = [&] {
        unsigned long long rights = 0;
        const CUresult asked = cuMemGetAccess(&rights, &access.location, address);
        return !asked && rights == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    };
    lockstep::exercise_verdict verdict;
    // the first memory gets 0 + 1 + 2, the second one 1000 + 10 + 20
    int* x = reinterpret_cast<int*>(address);
    std::vector<int> found(n);
    bool begun = false;
    for (int round : {1, 2}) {
        for (const auto& [memory, number] : {std::pair{first, 1}, {second, 10}}) {
            const CUresult error = show(address, memory, access);
            if (error || !usable()) {
                verdict.holds("exchange", !error, lockstep::name_of(error));
                verdict.holds("memory can be used", usable(),
                              "a kernel would fault: the new mapping has no access");
                return verdict.finish();
            }
            if (!begun) lockstep::check(cuMemsetD32(address, 0, n));
            begun = true;
            add<<<n / 256, 256>>>(x, number * round);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaMemcpy(found.data(), x, bytes, cudaMemcpyDefault));
            if (round == 1) continue;
            const bool is_first = memory == first;
            verdict.equal(is_first ? "the first memory" : "the second memory", found,
                          std::vector<int>(n, is_first ? 3 : 1030));
        }
    }
    return verdict.finish();
}
