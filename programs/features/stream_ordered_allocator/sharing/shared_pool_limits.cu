// What can a pool not do, once it can be exported or was imported? A process imports
// its own pool, in place of a second process, and tries.

#include <cstdint>
#include <cstdlib>

#include <unistd.h>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr auto by_descriptor = cudaMemHandleTypePosixFileDescriptor;

/// Physical memory of a pool, in MiB.
std::uint64_t reserved_mib(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes / mib;
}

int main() {
    lockstep::require_device();

    bool as_known = true;
    const auto expect = [&](const char* label, cudaError_t found, cudaError_t known) {
        lockstep::report(label, cudaGetErrorName(found));
        cudaGetLastError();  // forget it
        as_known = as_known && found == known;
    };
    const lockstep::owned_stream stream;
    // [export]
    int descriptor = -1;
    cudaMemPool_t usual = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&usual, 0));
    expect("export the default pool",
           cudaMemPoolExportToShareableHandle(&descriptor, usual, by_descriptor, 0),
           cudaErrorInvalidValue);

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = by_descriptor;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t exported = nullptr;
    lockstep::check(cudaMemPoolCreate(&exported, &props));
    // [/export]

    // [trim]
    void* x = nullptr;
    const auto use_and_trim = [&] {
        lockstep::check(cudaMallocFromPoolAsync(&x, 256 * mib, exported, stream));
        lockstep::check(cudaFreeAsync(x, stream));
        lockstep::check(cudaStreamSynchronize(stream));  // release threshold: 0
        lockstep::check(cudaMemPoolTrimTo(exported, 0));
        return reserved_mib(exported);
    };
    const std::uint64_t before = use_and_trim();
    // [/trim]

    // [import]
    cudaMemPool_t imported = nullptr;
    lockstep::check(
        cudaMemPoolExportToShareableHandle(&descriptor, exported, by_descriptor, 0));
    void* handle = reinterpret_cast<void*>(std::intptr_t{descriptor});
    lockstep::check(
        cudaMemPoolImportFromShareableHandle(&imported, handle, by_descriptor, 0));
    expect("allocate from an import",
           cudaMallocFromPoolAsync(&x, mib, imported, stream), cudaErrorInvalidValue);
    expect("make an import current", cudaDeviceSetMemPool(0, imported),
           cudaErrorInvalidValue);
    std::uint64_t bytes = 0;
    expect("ask what an import holds",
           cudaMemPoolGetAttribute(imported, cudaMemPoolAttrReservedMemCurrent, &bytes),
           cudaErrorInvalidValue);
    // [/import]
    lockstep::report("trimmed before the export", before, "MiB");
    lockstep::report("trimmed after the import", use_and_trim(), "MiB");
    lockstep::check(cudaMemPoolDestroy(imported));
    lockstep::check(cudaMemPoolDestroy(exported));
    close(descriptor);
    return as_known && before == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
