// Are atomics on mapped memory atomic? Between the GPU's own threads, yes. Towards the
// CPU only where the link carries native atomics; elsewhere both sides may read the
// same old value, and one of the two additions is lost. This program lets both sides
// count at once and counts what is missing.

#include <cstdlib>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [kernel]
/// Each thread adds one, `times` times.
/// @param counter  one int in mapped host memory
/// @param times    additions for each thread
/// @param started  one int in mapped host memory, set when the first block begins; or
///                 null
__global__ void count(int* counter, int times, volatile int* started) {
    if (started && threadIdx.x == 0) *started = 1;
    for (int i = 0; i < times; ++i) atomicAdd_system(counter, 1);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int times = static_cast<int>(arguments.integer("times", 100, 1, 10'000));
    arguments.finish();
    lockstep::require_device(60);

    int native = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, 0));
    int* counter = nullptr;
    volatile int* started = nullptr;
    lockstep::check(cudaMallocHost(&counter, sizeof(int)));
    lockstep::check(cudaMallocHost(const_cast<int**>(&started), sizeof(int)));

    // [alone]
    *counter = 0;
    count<<<1, 256>>>(counter, times, nullptr);
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
        for (int i = 0; i < 100 && *started; ++i, ++by_cpu)
            __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    }
    lockstep::check(cudaDeviceSynchronize());
    const long long lost = 256LL * times + by_cpu - *counter;
    // [/together]

    lockstep::report("native CPU-GPU atomics", native != 0);
    lockstep::report("GPU alone", alone);
    lockstep::report("expected", 256 * times);
    lockstep::report("CPU additions meanwhile", lockstep::counted{by_cpu});
    lockstep::report("additions lost", lockstep::counted{lost});
    lockstep::check(cudaFreeHost(counter));
    lockstep::check(cudaFreeHost(const_cast<int*>(started)));
    const bool possible = native ? lost == 0 : lost >= 0;
    return alone == 256 * times && possible ? EXIT_SUCCESS : EXIT_FAILURE;
}
