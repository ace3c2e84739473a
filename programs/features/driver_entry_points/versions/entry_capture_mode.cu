// Can a mismatch take a check away? cuStreamBeginCapture has one parameter in CUDA 10.0
// and two since 10.1: the second is the capture mode. The program calls both through
// the newer type, once in the relaxed mode, which allows cudaMalloc during the capture,
// and once in the global mode, which forbids it.

#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [try]
/// Begins a capture, allocates memory, and ends the capture.
/// @param version  which form to look up; the type of the pointer is 10.1's
/// @param mode     the second argument
/// @return what cudaMalloc returned during the capture
cudaError_t allocate_during_capture(unsigned version, CUstreamCaptureMode mode) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult status{};
    lockstep::check(cudaGetDriverEntryPointByVersion(
        "cuStreamBeginCapture", &address, version, cudaEnableLegacyStream, &status));
    if (status != cudaDriverEntryPointSuccess) lockstep::check(cudaErrorSymbolNotFound);
    const auto begin = reinterpret_cast<PFN_cuStreamBeginCapture_v10010>(address);

    const lockstep::owned_stream stream;
    lockstep::check(static_cast<cudaError_t>(begin(stream, mode)));
    void* d_data = nullptr;
    const cudaError_t error = cudaMalloc(&d_data, 1024);

    cudaGraph_t graph = nullptr;
    // an error is expected here if the capture was invalidated
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess)
        lockstep::check(cudaGraphDestroy(graph));
    cudaGetLastError();  // clears what the two calls may have left
    lockstep::check(cudaFree(d_data));
    return error;
}
// [/try]

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    constexpr auto relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
    constexpr auto global = CU_STREAM_CAPTURE_MODE_GLOBAL;

    const cudaError_t new_relaxed = allocate_during_capture(10010, relaxed);
    const cudaError_t new_global = allocate_during_capture(10010, global);
    const cudaError_t old_relaxed = allocate_during_capture(10000, relaxed);
    const cudaError_t old_global = allocate_during_capture(10000, global);
    lockstep::report("lookup 10010, relaxed", cudaGetErrorName(new_relaxed));
    lockstep::report("lookup 10010, global", cudaGetErrorName(new_global));
    lockstep::report("lookup 10000, relaxed", cudaGetErrorName(old_relaxed));
    lockstep::report("lookup 10000, global", cudaGetErrorName(old_global));
    return new_relaxed == cudaSuccess && new_global != cudaSuccess ? EXIT_SUCCESS
                                                                   : EXIT_FAILURE;
}
