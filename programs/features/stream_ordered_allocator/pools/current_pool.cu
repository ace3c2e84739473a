// Which pool does an allocation come from? The pool that the call names; if it names
// none, the current pool of the stream's device, which at first is the default pool.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

/// How much is allocated from a pool, in MiB.
std::uint64_t used_mib(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    return bytes / mib;
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    // [create]
    cudaMemPool_t usual = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&usual, 0));

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;  // it does not migrate
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    cudaMemPool_t ours = nullptr;
    lockstep::check(cudaMemPoolCreate(&ours, &props));
    // [/create]

    // [allocate]
    void* x[4] = {};
    lockstep::check(cudaMallocAsync(&x[0], 1 * mib, stream));
    lockstep::check(cudaMallocFromPoolAsync(&x[1], 2 * mib, ours, stream));
    lockstep::check(cudaMallocAsync(&x[2], 4 * mib, ours, stream));  // the same in C++
    lockstep::check(cudaDeviceSetMemPool(0, ours));
    lockstep::check(cudaMallocAsync(&x[3], 8 * mib, stream));
    // [/allocate]
    const std::uint64_t of_usual = used_mib(usual);
    const std::uint64_t of_ours = used_mib(ours);
    lockstep::report("from the default pool", of_usual, "MiB");
    lockstep::report("from our pool", of_ours, "MiB");

    // [destroy]
    lockstep::check(cudaMemPoolDestroy(ours));  // three allocations still live
    cudaMemPool_t current = nullptr;
    lockstep::check(cudaDeviceGetMemPool(&current, 0));
    // [/destroy]
    lockstep::report("destroyed: default again", current == usual);
    lockstep::check(cudaMemsetAsync(x[3], 1, 8 * mib, stream));
    for (void* one : x) lockstep::check(cudaFreeAsync(one, stream));
    const cudaError_t error = cudaStreamSynchronize(stream);
    lockstep::report("its memory, used and freed", cudaGetErrorName(error));
    return of_usual == 1 && of_ours == 14 && current == usual && error == cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
