// Which default stream does a driver function mean that was looked up by name? A flag
// of the lookup decides: it returns one of two functions. The legacy one waits for the
// work of other streams, the per-thread one does not. Without a flag, the compiler
// option --default-stream decides, as it does for functions that are called directly.

#include <cstdlib>

#include <cudaTypedefs.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Looks up a function as it was in CUDA 7.0, which introduced the per-thread stream.
/// @param name   the function
/// @param flags  which variant
void* find(const char* name, cudaGetDriverEntryPointFlags flags) {
    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion(name, &address, 7000, flags));
    if (!address) lockstep::check(cudaErrorSymbolNotFound);
    return address;
}

/// Ends the program unless a call through a pointer succeeded.
/// @param result  what the call returned
void check_driver(CUresult result) {
    lockstep::check(static_cast<cudaError_t>(result));
}

// [wait]
/// Fills memory in stream 0 while a kernel of 100 ms runs in another stream.
/// @param flags  which variant of the two functions that work in stream 0
/// @return whether the filling was complete only when that kernel had ended
bool waits_for_other_stream(cudaGetDriverEntryPointFlags flags) {
    const auto fill = reinterpret_cast<PFN_cuMemsetD32Async_v7000_ptsz>(
        find("cuMemsetD32Async", flags));
    const auto synchronize = reinterpret_cast<PFN_cuStreamSynchronize_v7000_ptsz>(
        find("cuStreamSynchronize", flags));
    constexpr std::size_t n = 1000;
    lockstep::device_buffer<unsigned> d_x(n);
    const lockstep::owned_stream other(cudaStreamDefault);  // one that legacy waits for

    const auto d_begin = reinterpret_cast<CUdeviceptr>(d_x.data());
    check_driver(fill(d_begin, 0, n, nullptr));  // a first call may load code
    check_driver(synchronize(nullptr));

    lockstep::busy<<<1, 1, 0, other>>>(100'000'000);
    lockstep::check(cudaGetLastError());
    check_driver(fill(d_begin, 7, n, nullptr));
    check_driver(synchronize(nullptr));
    const cudaError_t state = cudaStreamQuery(other);
    if (state != cudaErrorNotReady) lockstep::check(state);
    cudaGetLastError();  // cudaErrorNotReady is an answer here, not a failure
    lockstep::check(cudaStreamSynchronize(other));
    return state == cudaSuccess;
}
// [/wait]

int main() {
    lockstep::require_device();
    lockstep::busy<<<1, 1>>>(0);  // loads the kernel before it matters
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    // [variants]
    void* legacy = find("cuStreamSynchronize", cudaEnableLegacyStream);
    void* per_thread = find("cuStreamSynchronize", cudaEnablePerThreadDefaultStream);
    void* neither = find("cuStreamSynchronize", cudaEnableDefault);
    // [/variants]
    const bool legacy_waits = waits_for_other_stream(cudaEnableLegacyStream);
    const bool per_thread_waits =
        waits_for_other_stream(cudaEnablePerThreadDefaultStream);
    const bool no_variant = find("cuMemAlloc", cudaEnableLegacyStream) ==
                            find("cuMemAlloc", cudaEnablePerThreadDefaultStream);

    lockstep::report("two functions", legacy != per_thread);
    lockstep::report("legacy waits", legacy_waits);
    lockstep::report("per-thread waits", per_thread_waits);
    lockstep::report("without a flag", neither == per_thread ? "per-thread" : "legacy");
    lockstep::report("cuMemAlloc: one function", no_variant);
    return legacy != per_thread && legacy_waits && !per_thread_waits &&
                   (neither == legacy || neither == per_thread)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
