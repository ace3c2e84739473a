// Which error has which text? cudaGetErrorString turns an error into the sentence
// that programs print, cudaGetErrorName into the name that documentation uses. This
// program prints both for every error that the error reference explains, and for some
// others that people meet.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    // [errors]
    constexpr cudaError_t errors[] = {
        cudaErrorInvalidValue,
        cudaErrorMemoryAllocation,
        cudaErrorInitializationError,
        cudaErrorInvalidConfiguration,
        cudaErrorInvalidSymbol,
        cudaErrorInvalidMemcpyDirection,
        cudaErrorInsufficientDriver,
        cudaErrorDevicesUnavailable,
        cudaErrorInvalidDeviceFunction,
        cudaErrorNoDevice,
        cudaErrorInvalidDevice,
        cudaErrorInvalidKernelImage,
        cudaErrorDeviceUninitialized,
        cudaErrorNoKernelImageForDevice,
        cudaErrorECCUncorrectable,
        cudaErrorPeerAccessUnsupported,
        cudaErrorInvalidPtx,
        cudaErrorUnsupportedPtxVersion,
        cudaErrorInvalidResourceHandle,
        cudaErrorSymbolNotFound,
        cudaErrorNotReady,
        cudaErrorIllegalAddress,
        cudaErrorLaunchOutOfResources,
        cudaErrorLaunchTimeout,
        cudaErrorAssert,
        cudaErrorHostMemoryAlreadyRegistered,
        cudaErrorHardwareStackError,
        cudaErrorIllegalInstruction,
        cudaErrorMisalignedAddress,
        cudaErrorInvalidAddressSpace,
        cudaErrorInvalidPc,
        cudaErrorLaunchFailure,
        cudaErrorCooperativeLaunchTooLarge,
        cudaErrorNotPermitted,
        cudaErrorNotSupported,
        cudaErrorSystemNotReady,
        cudaErrorStreamCaptureUnsupported,
        cudaErrorStreamCaptureInvalidated,
        cudaErrorStreamCaptureUnjoined,
        cudaErrorInvalidClusterSize,
        cudaErrorUnknown,
    };
    // [/errors]
    bool all_known = true;
    // [texts]
    for (const cudaError_t error : errors) {
        const char* name = cudaGetErrorName(error);
        const char* text = cudaGetErrorString(error);
        std::printf("%3d %s\n    %s\n", static_cast<int>(error), name, text);
        all_known &= std::strncmp(name, "cudaError", 9) == 0;
    }
    // [/texts]
    return all_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
