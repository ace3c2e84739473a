// What do the calls of the stream-ordered allocator say to wrong requests? They return
// an error at once, and the program can go on: a right request still works afterwards.
// Order is not among the things that they check.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 0));
    bool as_known = true;
    const auto expect = [&](const char* mistake, cudaError_t found, cudaError_t known) {
        std::printf("%-34s%s\n", mistake, cudaGetErrorName(found));
        cudaGetLastError();  // forget it
        as_known = as_known && found == known;
    };
    // [mistakes]
    char* x = nullptr;
    char host = 0;
    std::uint64_t bytes = 1 << 20;
    lockstep::check(cudaMallocAsync(&x, bytes, stream));
    expect("free an address in the middle", cudaFreeAsync(x + 4096, stream),
           cudaErrorInvalidValue);
    lockstep::check(cudaFreeAsync(x, stream));
    expect("free twice", cudaFreeAsync(x, stream), cudaErrorInvalidValue);
    expect("free memory of the host", cudaFreeAsync(&host, stream),
           cudaErrorInvalidValue);
    expect("more than the GPU has", cudaMallocAsync(&x, std::size_t{1} << 46, stream),
           cudaErrorMemoryAllocation);
    expect("set a count of bytes",
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes),
           cudaErrorInvalidValue);
    expect("set a watermark, not to 0",
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes),
           cudaErrorInvalidValue);
    expect("destroy the default pool", cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
    // [/mistakes]
    // [limits]
    expect("allocate 0 bytes", cudaMallocAsync(&x, 0, stream), cudaSuccess);
    std::printf("%-34s%s\n", "its address is null", x ? "no" : "yes");
    expect("free a null pointer", cudaFreeAsync(nullptr, stream), cudaSuccess);
    // [/limits]

    // a right request still works
    lockstep::check(cudaMallocAsync(&x, bytes, stream));
    lockstep::check(cudaMemsetAsync(x, 1, bytes, stream));
    lockstep::check(
        cudaMemcpyAsync(&host, x + bytes - 1, 1, cudaMemcpyDefault, stream));
    lockstep::check(cudaFreeAsync(x, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    return as_known && host == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
