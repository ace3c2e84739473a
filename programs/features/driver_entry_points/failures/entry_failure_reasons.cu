// Why does a lookup fail, and how does it say so? There are two answers. The returned
// CUresult tells whether the question made sense. The status tells whether the driver
// has the function. Both must be looked at: most failures return CUDA_SUCCESS. Null
// pointers are not among the questions: the documentation does not promise that the
// driver checks a null name.

#include <cstdlib>
#include <string>

#include <cudaTypedefs.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The name of a lookup's status, without its prefix.
/// @param status  what the lookup stored
const char* name_of(CUdriverProcAddressQueryResult status) {
    switch (status) {
        case CU_GET_PROC_ADDRESS_SUCCESS: return "SUCCESS";
        case CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND: return "SYMBOL_NOT_FOUND";
        case CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT:
            return "VERSION_NOT_SUFFICIENT";
    }
    return "not set";
}

int main() {
    lockstep::require_device();
    int driver = 0;
    lockstep::check(cudaDriverGetVersion(&driver));
    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion("cuGetProcAddress", &address,
                                                     12000, cudaEnableDefault));
    const auto get_address = reinterpret_cast<PFN_cuGetProcAddress_v12000>(address);
    if (!get_address) return EXIT_FAILURE;

    // [ask]
    constexpr auto not_set = static_cast<CUdriverProcAddressQueryResult>(-1);
    const auto ask = [&](const char* label, const char* name, int version,
                         cuuint64_t flags) {
        void* found = nullptr;
        CUdriverProcAddressQueryResult status = not_set;
        const CUresult result = get_address(name, &found, version, flags, &status);
        std::string answer = cudaGetErrorName(static_cast<cudaError_t>(result));
        answer += std::string(", ") + name_of(status);
        answer += found ? ", address" : ", no address";
        lockstep::report(label, answer.c_str());
        return status;
    };
    // [/ask]

    // [causes]
    const char* name = "cuDeviceGetExecAffinitySupport";  // exists since CUDA 11.4
    const auto good = ask("found", name, 11040, 0);
    const auto low = ask("version too low", name, 11030, 0);
    const auto typo = ask("misspelled", "cuDeviceGetExecAfinitySupport", 11040, 0);
    ask("wrong case", "CuDeviceGetExecAffinitySupport", 11040, 0);
    ask("suffix in the name", "cuMemAlloc_v2", 3020, 0);
    ask("newer than the driver", name, driver + 10, 0);
    ask("unknown flag", name, 11040, 64);
    // [/causes]

    // [runtime]
    cudaDriverEntryPointQueryResult status{};
    const cudaError_t error = cudaGetDriverEntryPointByVersion(
        name, &address, 11030, cudaEnableDefault, &status);
    lockstep::report("runtime, version too low", cudaGetErrorName(error));
    lockstep::report("... VersionNotSufficent",
                     status == cudaDriverEntryPointVersionNotSufficent);
    // [/runtime]
    cudaGetLastError();  // in case that a lookup was refused
    return good == CU_GET_PROC_ADDRESS_SUCCESS &&
                   low == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT &&
                   typo == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
