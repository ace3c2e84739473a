// Which error does a message belong to? cudaGetErrorString turns a code into a
// sentence, and the sentence is what logs and search engines see. This program prints
// number, name and text of the codes that are met most often; with --faults, of those
// that a kernel causes while it runs.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool faults = options.flag("faults");
    options.finish();
    lockstep::require_device();

    const std::vector<cudaError_t> refused = {
        cudaErrorInvalidValue,
        cudaErrorMemoryAllocation,
        cudaErrorInvalidConfiguration,
        cudaErrorInvalidSymbol,
        cudaErrorInsufficientDriver,
        cudaErrorDevicesUnavailable,
        cudaErrorInvalidDeviceFunction,
        cudaErrorNoDevice,
        cudaErrorInvalidDevice,
        cudaErrorNoKernelImageForDevice,
        cudaErrorUnsupportedPtxVersion,
        cudaErrorInvalidResourceHandle,
        cudaErrorSymbolNotFound,
        cudaErrorLaunchOutOfResources,
        cudaErrorCooperativeLaunchTooLarge,
        cudaErrorSystemDriverMismatch,
        cudaErrorInvalidClusterSize,
    };
    const std::vector<cudaError_t> in_kernels = {
        cudaErrorIllegalAddress,     cudaErrorLaunchTimeout,     cudaErrorAssert,
        cudaErrorIllegalInstruction, cudaErrorMisalignedAddress, cudaErrorInvalidPc,
        cudaErrorLaunchFailure,
    };

    bool all_known = true;
    // [print]
    for (const cudaError_t code : faults ? in_kernels : refused) {
        const char* text = cudaGetErrorString(code);
        std::printf("%3d %s\n    %s\n", static_cast<int>(code), cudaGetErrorName(code),
                    text);
        all_known = all_known && std::strcmp(text, "unrecognized error code") != 0;
    }
    // [/print]
    return all_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
