// Can a pool be kept from growing? Yes, by maxSize. An allocation beyond it fails with
// cudaErrorMemoryAllocation, at once and without harm: after a free there is room
// again.

#include <cstdlib>
#include <vector>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    constexpr std::size_t mib = 1 << 20;
    const lockstep::owned_stream stream;
    // [limit]
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = 128 * mib;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    // [/limit]

    // [fill]
    std::vector<void*> taken;
    cudaError_t error = cudaSuccess;
    while (taken.size() < 100) {
        void* memory = nullptr;
        error = cudaMallocFromPoolAsync(&memory, 16 * mib, pool, stream);
        if (error != cudaSuccess) break;
        taken.push_back(memory);
    }
    // [/fill]
    lockstep::report("maxSize", props.maxSize / mib, "MiB");
    lockstep::report("allocations of 16 MiB", taken.size());
    lockstep::report("the next one", cudaGetErrorName(error));
    cudaGetLastError();  // forget it

    // [again]
    lockstep::check(cudaFreeAsync(taken.back(), stream));
    const cudaError_t again =
        cudaMallocFromPoolAsync(&taken.back(), 16 * mib, pool, stream);
    // [/again]
    lockstep::report("after a free", cudaGetErrorName(again));
    for (void* memory : taken) lockstep::check(cudaFreeAsync(memory, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolDestroy(pool));
    return error == cudaErrorMemoryAllocation && again == cudaSuccess ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE;
}
