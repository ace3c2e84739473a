// Are atomics on mapped memory atomic? Between the GPU's own threads, yes. Toward the
// CPU only where the link carries native atomics; elsewhere both sides may read the
// same old value, and one of the two additions is lost. This program lets both sides
// count at once and counts what is missing. In managed memory nothing is lost: the page
// moves to the side that counts.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// An int that threads of the CPU and of the GPU use at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Each thread adds one, `times` times.
/// @param counter  one int in mapped or managed memory
/// @param times    additions for each thread
/// @param started  one int in mapped host memory, set when the kernel begins
__global__ void count(int* counter, int times, int* started) {
    if (threadIdx.x == 0) shared_int(*started).store(1, cuda::memory_order_relaxed);
    for (int i = 0; i < times; ++i)
        shared_int(*counter).fetch_add(1, cuda::memory_order_relaxed);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int times = options.integer("times", 100, 1, 10'000);
    const bool managed = options.choice("memory", {"mapped", "managed"}) == 1;
    options.finish();
    lockstep::require_device(60);

    int native = 0;
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (managed && !concurrent) {
        lockstep::report("concurrent managed access", "no: the CPU must not count");
        return EXIT_SUCCESS;
    }
    lockstep::check(
        cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, 0));
    int* counter = nullptr;
    int* started = nullptr;
    lockstep::check(managed ? cudaMallocManaged(&counter, sizeof(int))
                            : cudaMallocHost(&counter, sizeof(int)));
    lockstep::check(cudaMallocHost(&started, sizeof(int)));

    // [alone]
    *counter = 0;
    count<<<1, 256>>>(counter, times, started);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const int alone = *counter;
    // [/alone]

    // [together]
    *counter = 0;
    *started = 0;
    count<<<1, 256>>>(counter, times, started);
    lockstep::check(cudaGetLastError());
    long long by_cpu = 0;
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
        if (shared_int(*started).load(cuda::memory_order_relaxed) == 0) continue;
        for (int i = 0; i < 100; ++i)
            shared_int(*counter).fetch_add(1, cuda::memory_order_relaxed);
        by_cpu += 100;
    }
    lockstep::check(cudaDeviceSynchronize());
    const long long lost = 256LL * times + by_cpu - *counter;
    // [/together]

    lockstep::report("native CPU-GPU atomics", native != 0);
    lockstep::report("GPU alone: counted", alone);
    lockstep::report("GPU alone: expected", 256 * times);
    lockstep::report("with CPU: CPU's additions", lockstep::counted{by_cpu});
    lockstep::report("with CPU: additions lost", lockstep::counted{lost});
    lockstep::check(managed ? cudaFree(counter) : cudaFreeHost(counter));
    lockstep::check(cudaFreeHost(started));
    const bool possible = native || managed ? lost == 0 : lost >= 0;
    return alone == 256 * times && possible ? EXIT_SUCCESS : EXIT_FAILURE;
}
