// Does a module with a managed variable load lazily? This one holds a table of 64 MiB,
// whose memory shows when the module is loaded. Build it with -DWITH_MANAGED, and it
// holds a managed variable as well.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [module]
constexpr std::size_t table_bytes = 64 << 20;
__device__ unsigned char table[table_bytes];

#ifdef WITH_MANAGED
__managed__ int counter = 1;
#endif
// [/module]

/// Uses the table, so that the module must be loaded.
__global__ void use_table() { table[threadIdx.x] = 1; }

/// Free memory of the device, in bytes.
std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    lockstep::check(cudaMemGetInfo(&free, &total));
    return free;
}

int main() {
    lockstep::require_device();

    // [moments]
    const std::size_t at_start = free_bytes();  // the first call that needs a context
    use_table<<<1, 32>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const std::size_t after_use = free_bytes();
    lockstep::report("loaded at the first launch", at_start - after_use >= table_bytes);
    // [/moments]
    return EXIT_SUCCESS;
}
