// On which GPU does stream-ordered memory lie? Device 0 or 1 is current, the stream
// belongs to 0 or 1, and so does the pool if one is named. The program asks where the
// memory lies: the pool or else the stream decides, not the current device.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 1 << 20;

/// Creates a stream of a device.
lockstep::owned_stream stream_of(int device) {
    lockstep::check(cudaSetDevice(device));
    return lockstep::owned_stream();
}

/// The default pool of a device.
cudaMemPool_t pool_of(int device) {
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, device));
    return pool;
}

int main() {
    lockstep::require_device(0, 2);
    const lockstep::owned_stream streams[2] = {stream_of(0), stream_of(1)};
    const cudaMemPool_t pools[2] = {pool_of(0), pool_of(1)};
    int as_expected = 0, failed_frees = 0;

    // [ask]
    // Allocates, asks for the device of the memory, and frees.
    const auto try_one = [&](const char* label, int current, cudaStream_t stream,
                             cudaMemPool_t pool, int expected) {
        lockstep::check(cudaSetDevice(current));
        void* x = nullptr;
        cudaError_t error = pool ? cudaMallocFromPoolAsync(&x, bytes, pool, stream)
                                 : cudaMallocAsync(&x, bytes, stream);
        cudaPointerAttributes found{};
        found.device = -1;
        if (error == cudaSuccess) error = cudaPointerGetAttributes(&found, x);
        char outcome[80];
        std::snprintf(outcome, sizeof outcome, "device %d", found.device);
        lockstep::report(label, error ? cudaGetErrorName(error) : outcome);
        as_expected += found.device == expected;
        if (x) failed_frees += cudaFreeAsync(x, stream) != cudaSuccess;
        cudaGetLastError();  // forget it
        return found.device == expected;
    };
    // [/ask]

    // [cases]
    lockstep::report("current, stream, pool", "the memory lies on");
    const bool plain = try_one("0, of 0, none named", 0, streams[0], nullptr, 0);
    try_one("1, of 0, none named", 1, streams[0], nullptr, 0);
    try_one("0, of 1, none named", 0, streams[1], nullptr, 1);
    try_one("1, default stream, none", 1, nullptr, nullptr, 1);
    try_one("0, of 1, pool of 0", 0, streams[1], pools[0], 0);
    try_one("1, of 1, pool of 0", 1, streams[1], pools[0], 0);
    try_one("1, of 0, pool of 0", 1, streams[0], pools[0], 0);
    try_one("0, of 0, pool of 1", 0, streams[0], pools[1], 1);
    // [/cases]
    lockstep::report("as the guide says, of 8", as_expected);
    lockstep::report("frees that failed", failed_frees);
    for (int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaDeviceSynchronize());
    }
    return plain ? EXIT_SUCCESS : EXIT_FAILURE;
}
