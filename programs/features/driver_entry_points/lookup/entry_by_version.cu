// What is wrong with cudaGetDriverEntryPoint? It takes no version, and uses that of the
// runtime that the program happens to run with. Since CUDA 13.0 it is deprecated; the
// version belongs into the call. Here both find the same function, since the version
// that is asked for is the runtime's. Build with -DOLD_CALL to see the warning.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    int runtime = 0;
    int driver = 0;
    lockstep::check(cudaRuntimeGetVersion(&runtime));
    lockstep::check(cudaDriverGetVersion(&driver));

    // [new]
    void* address = nullptr;
    cudaDriverEntryPointQueryResult status{};
    lockstep::check(cudaGetDriverEntryPointByVersion(
        "cuCtxCreate", &address, CUDA_VERSION, cudaEnableDefault, &status));
    // [/new]
    bool right = status == cudaDriverEntryPointSuccess && address;
    lockstep::report("header's version", CUDA_VERSION);
    lockstep::report("runtime's version", runtime);
    lockstep::report("driver's version", driver);
    lockstep::report("cuCtxCreate found", right);

#ifdef OLD_CALL
    // [old]
    void* old_address = nullptr;
    lockstep::check(cudaGetDriverEntryPoint("cuCtxCreate", &old_address,
                                            cudaEnableDefault, &status));
    lockstep::report("old call, same function", old_address == address);
    // [/old]
    right = right && old_address;
#endif
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
