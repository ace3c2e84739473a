// Finds a function of the driver API by its name and a CUDA version, without linking to
// the driver library.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [ask]
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lockstep::check(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &address,
                                                     12000, cudaEnableDefault, &found));
    const auto count_devices = reinterpret_cast<CUresult (*)(int*)>(address);
    // [/ask]
    int by_driver = 0;
    int by_runtime = 0;
    const bool called = found == cudaDriverEntryPointSuccess &&
                        count_devices(&by_driver) == CUDA_SUCCESS;
    lockstep::check(cudaGetDeviceCount(&by_runtime));
    void* nothing = nullptr;
    cudaDriverEntryPointQueryResult missing{};
    const cudaError_t status = cudaGetDriverEntryPointByVersion(
        "cuNoSuchFunction", &nothing, 12000, cudaEnableDefault, &missing);
    lockstep::report("cuDeviceGetCount called", called);
    lockstep::report("same number of devices", by_driver == by_runtime);
    lockstep::report("cuNoSuchFunction", missing == cudaDriverEntryPointSymbolNotFound
                                             ? "not found"
                                             : "found");
    // whether the call itself fails, too, differs between versions of CUDA
    const bool answered = status == cudaSuccess || status == cudaErrorSymbolNotFound;
    return called && by_driver == by_runtime && answered &&
                   missing == cudaDriverEntryPointSymbolNotFound
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
