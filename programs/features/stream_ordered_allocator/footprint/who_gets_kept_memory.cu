// A pool keeps 60 % of the free memory that it does not use. Does another allocation of
// that size get it, from cudaMalloc or from another pool? The driver may take unused
// memory from the pool or refuse the request; after a trim the memory is free.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Makes a pool that returns no memory by itself.
cudaMemPool_t keeping_pool() {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t all = UINT64_MAX;
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    return pool;
}

/// Bytes that a pool holds.
std::uint64_t reserved_by(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    std::size_t unused = 0, total = 0;
    lockstep::check(cudaMemGetInfo(&unused, &total));
    constexpr std::size_t unit = 64 << 20;
    const std::size_t bytes = unused / 100 * 60 / unit * unit;
    const lockstep::owned_stream stream;
    const cudaMemPool_t pool = keeping_pool();
    const cudaMemPool_t other = keeping_pool();

    // [fill]
    const auto fill_pool = [&] {  // allocated and freed: the pool keeps it, unused
        void* data = nullptr;
        lockstep::check(cudaMallocFromPoolAsync(&data, bytes, pool, stream));
        lockstep::check(cudaFreeAsync(data, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        return reserved_by(pool) >= bytes;
    };
    // [/fill]
    bool filled = fill_pool();
    lockstep::report("the pool keeps 60 %", filled);
    // [ask]
    void* data = nullptr;
    const cudaError_t malloced = cudaMalloc(&data, bytes);
    // [/ask]
    lockstep::report("cudaMalloc of 60 %", cudaGetErrorName(malloced));
    lockstep::report("  the pool keeps it", reserved_by(pool) >= bytes);
    if (malloced == cudaSuccess) lockstep::check(cudaFree(data));
    cudaGetLastError();  // forget a refusal

    filled = filled && fill_pool();
    const cudaError_t pooled = cudaMallocFromPoolAsync(&data, bytes, other, stream);
    lockstep::report("another pool, 60 %", cudaGetErrorName(pooled));
    lockstep::report("  the pool keeps it", reserved_by(pool) >= bytes);
    if (pooled == cudaSuccess) lockstep::check(cudaFreeAsync(data, stream));
    cudaGetLastError();
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolTrimTo(other, 0));

    filled = filled && fill_pool();
    // [trim]
    lockstep::check(cudaMemPoolTrimTo(pool, 0));
    const cudaError_t trimmed = cudaMalloc(&data, bytes);
    // [/trim]
    lockstep::report("after a trim, cudaMalloc", cudaGetErrorName(trimmed));
    if (trimmed == cudaSuccess) lockstep::check(cudaFree(data));
    lockstep::check(cudaMemPoolDestroy(pool));
    lockstep::check(cudaMemPoolDestroy(other));
    return filled && trimmed == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
