// What does an internal dependency cost? When a pool cannot grow, the driver may hand
// out memory whose free is still pending in another stream, and make the new owner's
// stream wait for it. The wait shows in no line of the program.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr std::size_t bytes = 64 << 20;

/// Stores a number.
/// @param x       one int in device memory, written
/// @param number  the number
__global__ void set(int* x, int number) { *x = number; }

/// What came of an allocation while another stream holds a pending free.
struct outcome {
    cudaError_t error;
    bool ran;  ///< a kernel with the new memory ran while the other stream was held
};

/// Allocates in one stream while the free in another is pending.
/// @param limit     maxSize of the pool in bytes, 0 for none
/// @param internal  whether internal dependencies are allowed
outcome allocate(std::size_t limit, int internal) {
    using clock = std::chrono::steady_clock;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = limit;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    lockstep::check(cudaMemPoolSetAttribute(
        pool, cudaMemPoolReuseAllowInternalDependencies, &internal));
    const lockstep::owned_stream first, second;
    lockstep::stream_latch latch;
    // [act]
    int* x = nullptr;
    int* y = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, bytes, pool, first));
    lockstep::check(cudaStreamSynchronize(first));
    latch.hold(first);
    lockstep::check(cudaFreeAsync(x, first));

    outcome found{cudaMallocFromPoolAsync(&y, bytes, pool, second), false};
    if (found.error == cudaSuccess) {
        set<<<1, 1, 0, second>>>(y, 1);
        lockstep::check(cudaGetLastError());
    } else {
        cudaGetLastError();  // cleared: found.error keeps the refusal
    }
    const auto until = clock::now() + std::chrono::milliseconds(50);
    while (found.error == cudaSuccess && !found.ran && clock::now() < until)
        found.ran = cudaStreamQuery(second) == cudaSuccess && latch.closed();
    // [/act]
    latch.open();
    if (found.error == cudaSuccess) lockstep::check(cudaFreeAsync(y, second));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaMemPoolDestroy(pool));
    return found;
}

int main() {
    lockstep::require_device();

    lockstep::load_kernels(set);
    const struct {
        const char* name;
        std::size_t limit;
        int internal;
        outcome known;
    } cases[] = {
        {"pool may grow, policy on", 0, 1, {cudaSuccess, true}},
        {"pool is full, policy on", bytes, 1, {cudaSuccess, false}},
        {"pool is full, policy off", bytes, 0, {cudaErrorMemoryAllocation, false}},
    };
    bool as_known = true;
    std::printf("%-28s%-28s%s\n", "case", "allocation", "kernel ran at once");
    for (const auto& one : cases) {
        const outcome found = allocate(one.limit, one.internal);
        std::printf("%-28s%-28s%s\n", one.name, cudaGetErrorName(found.error),
                    found.error != cudaSuccess ? "-"
                    : found.ran                ? "yes"
                                               : "no");
        as_known =
            as_known && found.error == one.known.error && found.ran == one.known.ran;
    }
    return as_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
