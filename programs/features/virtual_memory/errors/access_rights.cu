// What may a kernel do with mapped memory? Nothing, until access is set; then as much
// as was set. The program asks for the rights after each change, and then lets children
// break them: a fault ends all GPU work of its process, so each one has its own.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Copies a word.
/// @param from  one int in device memory
/// @param to    one int in device memory, written
__global__ void copy_word(const int* from, int* to) { *to = *from; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { none, early_read, read_only_read, read_only_write, beyond, unmapped, set };
    const int fault =
        options.choice("fault", {"none", "early-read", "read-only-read",
                                 "read-only-write", "beyond", "unmapped", "set"});
    options.finish();
    lockstep::require_device();
    int* plain = nullptr;
    lockstep::check(cudaMalloc(&plain, sizeof(int)));
    lockstep::check(cudaMemset(plain, 0, sizeof(int)));

    // [range]
    constexpr std::size_t bytes = 4 << 20;  // a multiple of the granularity, 2 MiB
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, 2 * bytes, 0, 0, 0));
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));  // the first half

    const CUmemLocation device = properties.location;
    const auto allow = [&](CUmemAccess_flags flags) {
        CUmemAccessDesc access{};
        access.location = device;
        access.flags = flags;
        return cuMemSetAccess(address, bytes, &access, 1);
    };
    // [/range]

    const auto rights = [&] {
        unsigned long long flags = 0;
        lockstep::check(cuMemGetAccess(&flags, &device, address));
        return flags;
    };
    if (fault == none) {
        // [rights]
        const auto after_map = rights();
        const CUresult read = allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
        const auto after_read = rights();
        lockstep::check(allow(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
        const auto after_both = rights();
        const CUresult nothing = allow(CU_MEM_ACCESS_FLAGS_PROT_NONE);
        const auto after_none = rights();
        // [/rights]
        lockstep::report("rights after mapping", after_map);
        lockstep::report("set PROT_READ", lockstep::name_of(read));
        lockstep::report("rights with PROT_READ", after_read);
        lockstep::report("rights with PROT_READWRITE", after_both);
        lockstep::report("set PROT_NONE", lockstep::name_of(nothing));
        lockstep::report("rights with PROT_NONE", after_none);

        // [children]
        bool right = after_map == 0 && after_both == 3;
        const auto child = [&](const char* label, const char* name) {
            const std::string said =
                lockstep::output_of(argv[0], std::string("--fault ") + name);
            lockstep::report(label, said.c_str());
            return said;
        };
        right &= child("kernel reads, none set", "early-read") != "cudaSuccess";
        right &= child("cudaMemset, none set", "set") != "cudaSuccess";
        child("kernel reads, PROT_READ", "read-only-read");
        child("kernel writes, PROT_READ", "read-only-write");
        right &= child("reads beyond the mapping", "beyond") != "cudaSuccess";
        right &= child("reads after unmapping", "unmapped") != "cudaSuccess";
        // [/children]
        return right ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    int* x = reinterpret_cast<int*>(address);
    const bool read_only = fault == read_only_read || fault == read_only_write;
    if (fault != early_read && fault != set)
        lockstep::check(allow(read_only ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                        : CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    if (fault == beyond) x += bytes / sizeof(int);
    if (fault == unmapped) lockstep::check(cuMemUnmap(address, bytes));
    cudaError_t error = cudaSuccess;
    if (fault == set)
        error = cudaMemset(x, 0, sizeof(int));
    else if (fault == read_only_write)
        copy_word<<<1, 1>>>(plain, x);
    else
        copy_word<<<1, 1>>>(x, plain);
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    std::printf("%s", cudaGetErrorName(error));
    return EXIT_SUCCESS;
}
