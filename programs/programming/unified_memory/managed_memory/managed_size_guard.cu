// May managed memory be larger than the GPU? With full support, yes: pages that do not
// fit stay on the CPU's side and trade places as kernels touch them. It is seldom fast,
// and a careless request can stall a shared machine, so this program computes what
// would be needed and refuses to run it.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [guard]
/// Whether an array of that size fits into what the device has free now.
/// @param bytes  size of the array
bool fits(std::size_t bytes) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    lockstep::check(cudaMemGetInfo(&free_bytes, &total_bytes));
    return bytes <= free_bytes;
}
// [/guard]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long gib = options.integer<long long>("gib", 1, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    const std::size_t bytes = std::size_t(gib) << 30;
    const bool fitting = fits(bytes);
    lockstep::report("asked for", gib, "GiB");
    lockstep::report("fits in free device memory", fitting);
    lockstep::report("could be oversubscribed", concurrent != 0);
    // [act]
    if (fitting) {
        char* data = nullptr;
        lockstep::check(cudaMallocManaged(&data, bytes));
        data[0] = 1;
        lockstep::report("allocated", data[0] == 1);
        lockstep::check(cudaFree(data));
    } else {
        lockstep::report("allocated", "no, by design of this program");
    }
    // [/act]
    // no GPU has a TiB, and one GiB is always free here
    return fitting == (gib < 1024) ? EXIT_SUCCESS : EXIT_FAILURE;
}
