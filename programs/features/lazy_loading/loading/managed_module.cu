// Does a module with a managed variable load lazily? This one holds a table of 256 MiB,
// whose memory shows when the module is loaded. Build it with -DWITH_MANAGED, and it
// holds a managed variable as well.

#include <cmath>
#include <cstdlib>

#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [module]
constexpr std::size_t table_bytes = 256 << 20;
__device__ unsigned char table[table_bytes];

#ifdef WITH_MANAGED
__managed__ int counter = 1;
#endif
// [/module]

/// Uses the table, so that the module must be loaded.
__global__ void use_table() { table[threadIdx.x] = 1; }

/// Memory of the device that is in use, in MiB.
double used_mib() { return lockstep::memory_in_use() / double(1 << 20); }

int main() {
    lockstep::require_device();

    // [moments]
    lockstep::check(cudaFree(nullptr));  // creates the context
    const double at_start = used_mib();
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, use_table));
    const double preloaded = used_mib();
    use_table<<<1, 32>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const double launched = used_mib();
    // [/moments]
    const auto report_mib = [](const char* label, double mib) {
        lockstep::report(label, lockstep::counted{std::lround(mib)});
    };
    report_mib("MiB used after the start", at_start);
    report_mib("MiB taken by preloading", preloaded - at_start);
    report_mib("MiB taken by first launch", launched - preloaded);
    unsigned char first = 0;
    lockstep::check(cudaMemcpyFromSymbol(&first, table, 1));
    return first == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
