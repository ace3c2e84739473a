// Can a program reach the driver without the runtime and without linking? Yes: it opens
// the driver's library when it runs. From there it should take one function only,
// cuGetProcAddress, because the names in the library are not those of the header:
// cuMemAlloc is the version of CUDA 2.0, and the one of today is called cuMemAlloc_v2.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>

/// Ends the program unless a driver call succeeded.
/// @param result  what the call returned
void check_driver(CUresult result) {
    lockstep::check(static_cast<cudaError_t>(result));
}

int main() {
    // [open]
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        std::fprintf(stderr, "libcuda.so.1 not found\n");
        return lockstep::no_device_status;
    }
    const auto get_address = reinterpret_cast<PFN_cuGetProcAddress_v12000>(
        dlsym(library, "cuGetProcAddress_v2"));
    if (!get_address) {
        std::fprintf(stderr, "the driver is older than 12.0\n");
        return EXIT_FAILURE;
    }
    // [/open]

    // [ask]
    void* address = nullptr;
    CUdriverProcAddressQueryResult status{};
    check_driver(get_address("cuDriverGetVersion", &address, 2020,
                             CU_GET_PROC_ADDRESS_DEFAULT, &status));
    if (status != CU_GET_PROC_ADDRESS_SUCCESS) return EXIT_FAILURE;
    int version = 0;
    check_driver(reinterpret_cast<PFN_cuDriverGetVersion_v2020>(address)(&version));
    // [/ask]

    // [names]
    const void* plain = dlsym(library, "cuMemAlloc");
    const void* second = dlsym(library, "cuMemAlloc_v2");
    // [/names]
    lockstep::report("driver's CUDA version", version);
    lockstep::report("library has cuMemAlloc", plain != nullptr);
    lockstep::report("library has cuMemAlloc_v2", second != nullptr);
    lockstep::report("they are one function", plain == second);
    return version >= CUDA_VERSION && second && plain != second ? EXIT_SUCCESS
                                                                : EXIT_FAILURE;
}
