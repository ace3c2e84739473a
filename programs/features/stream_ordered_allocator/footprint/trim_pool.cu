// What can cudaMemPoolTrimTo give back? Memory that is free and that the host knows to
// be free. It does not wait for the GPU, so a pending free counts as use, and it keeps
// at least as much as it is told to.

#include <cstdint>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr std::size_t mib = 1 << 20;

/// Physical memory of a pool, in MiB.
std::uint64_t reserved_mib(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes / mib;
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::stream_latch latch;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    // [held]
    std::uint64_t keep_all = UINT64_MAX;
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));

    void* x[4] = {};
    for (void*& one : x)
        lockstep::check(cudaMallocFromPoolAsync(&one, 64 * mib, pool, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    latch.hold(stream);
    for (int i = 0; i < 3; ++i) lockstep::check(cudaFreeAsync(x[i], stream));
    const std::uint64_t full = reserved_mib(pool);
    lockstep::check(cudaMemPoolTrimTo(pool, 0));  // the frees are pending
    const std::uint64_t pending = reserved_mib(pool);
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    // [/held]
    // [trim]
    const std::uint64_t freed = reserved_mib(pool);
    lockstep::check(cudaMemPoolTrimTo(pool, 150 * mib));
    const std::uint64_t to_150 = reserved_mib(pool);
    lockstep::check(cudaMemPoolTrimTo(pool, 0));  // x[3] is still in use
    const std::uint64_t in_use = reserved_mib(pool);
    lockstep::check(cudaFreeAsync(x[3], stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolTrimTo(pool, 0));
    const std::uint64_t empty = reserved_mib(pool);
    // [/trim]
    lockstep::report("4 allocations of 64 MiB", full, "MiB");
    lockstep::report("trimmed, 3 frees pending", pending, "MiB");
    lockstep::report("synchronized", freed, "MiB");
    lockstep::report("trimmed to 150 MiB", to_150, "MiB");
    lockstep::report("trimmed to 0, 1 in use", in_use, "MiB");
    lockstep::report("freed, trimmed to 0", empty, "MiB");
    lockstep::check(cudaMemPoolDestroy(pool));
    return pending == full && to_150 >= 150 && in_use >= 64 && in_use < to_150 &&
                   empty == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
