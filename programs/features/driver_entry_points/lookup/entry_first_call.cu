// How does a program call the driver API if it is not linked with libcuda? It asks the
// runtime for the address of each function, by name and version, and calls through
// pointers whose types come from cudaTypedefs.h.

#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [find]
/// Looks up a function of the driver API, and ends the program if there is none.
/// @tparam Function  its pointer type
/// @param name       its name, without a version
/// @param version    the CUDA version of the pointer type: 3020 is 3.2
template <class Function>
Function find(const char* name, unsigned version) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult status{};
    lockstep::check(cudaGetDriverEntryPointByVersion(name, &address, version,
                                                     cudaEnableDefault, &status));
    if (status != cudaDriverEntryPointSuccess) lockstep::check(cudaErrorSymbolNotFound);
    return reinterpret_cast<Function>(address);
}
// [/find]

/// Ends the program unless a call through a pointer succeeded. The numbers of both APIs
/// are the same.
/// @param result  what the call returned
void check_driver(CUresult result) {
    lockstep::check(static_cast<cudaError_t>(result));
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    // [use]
    const auto allocate = find<PFN_cuMemAlloc_v3020>("cuMemAlloc", 3020);
    const auto fill = find<PFN_cuMemsetD32_v3020>("cuMemsetD32", 3020);
    const auto copy = find<PFN_cuMemcpyDtoH_v3020>("cuMemcpyDtoH", 3020);
    const auto release = find<PFN_cuMemFree_v3020>("cuMemFree", 3020);

    constexpr std::size_t n = 1000;
    unsigned x[n] = {};
    CUdeviceptr d_x = 0;
    check_driver(allocate(&d_x, sizeof x));
    check_driver(fill(d_x, 7, n));
    check_driver(copy(x, d_x, sizeof x));
    check_driver(release(d_x));
    // [/use]

    std::size_t sevens = 0;
    for (const unsigned value : x) sevens += value == 7;
    lockstep::report("elements", n);
    lockstep::report("filled by the driver", sevens);
    return sevens == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
