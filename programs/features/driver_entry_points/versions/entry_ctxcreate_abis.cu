// How are several versions of one function used side by side? Each with its own exact
// version and the pointer type of that version. cuCtxCreate has had three signatures
// since CUDA 3.2, and all of them still create a context.

#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Looks up cuCtxCreate in one version.
/// @tparam Function  the pointer type of that version
/// @param version    the version
template <class Function>
Function context_creator(unsigned version) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult status{};
    lockstep::check(cudaGetDriverEntryPointByVersion("cuCtxCreate", &address, version,
                                                     cudaEnableDefault, &status));
    if (status != cudaDriverEntryPointSuccess) lockstep::check(cudaErrorSymbolNotFound);
    return reinterpret_cast<Function>(address);
}

int main() {
    lockstep::require_device();

    // [three]
    const auto plain = context_creator<PFN_cuCtxCreate_v3020>(3020);
    const auto affinity = context_creator<PFN_cuCtxCreate_v11040>(11040);
    const auto parameters = context_creator<PFN_cuCtxCreate_v12050>(12050);

    CUcontext contexts[3] = {};
    const CUdevice device = 0;
    CUresult results[3] = {plain(&contexts[0], 0, device),
                           affinity(&contexts[1], nullptr, 0, 0, device),
                           parameters(&contexts[2], nullptr, 0, device)};
    // [/three]

    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion("cuCtxDestroy", &address, 4000,
                                                     cudaEnableDefault));
    const auto destroy = reinterpret_cast<PFN_cuCtxDestroy_v4000>(address);
    const char* labels[] = {"3020: flags", "11040: affinity", "12050: parameters"};
    bool right = true;
    for (int i = 0; i < 3; ++i) {
        lockstep::report(labels[i],
                         results[i] == CUDA_SUCCESS ? "context created" : "refused");
        right =
            right && results[i] == CUDA_SUCCESS && destroy(contexts[i]) == CUDA_SUCCESS;
    }
    const bool distinct =
        reinterpret_cast<void*>(plain) != reinterpret_cast<void*>(affinity) &&
        reinterpret_cast<void*>(affinity) != reinterpret_cast<void*>(parameters);
    lockstep::report("three different functions", distinct);
    return right && distinct ? EXIT_SUCCESS : EXIT_FAILURE;
}
