// Does this GPU have the stream-ordered allocator, and how can its pools be shared? Two
// attributes answer. Both are asked only where the driver is new enough to know them;
// a third one, for pools on a NUMA node, is asked without that precaution.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [ask]
    int driver = 0;
    int pools = 0;
    int handles = 0;
    lockstep::check(cudaDriverGetVersion(&driver));  // 13000 stands for 13.0
    if (driver >= 11020)
        lockstep::check(
            cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
    if (driver >= 11030)
        lockstep::check(cudaDeviceGetAttribute(
            &handles, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    // [/ask]
    int numa_pools = 0;
    lockstep::check(cudaDeviceGetAttribute(&numa_pools,
                                           cudaDevAttrHostNumaMemoryPoolsSupported, 0));
    lockstep::report("memory pools", pools != 0);
    lockstep::report("shared by file descriptor",
                     (handles & cudaMemHandleTypePosixFileDescriptor) != 0);
    lockstep::report("shared by Windows handle",
                     (handles & cudaMemHandleTypeWin32) != 0);
    lockstep::report("shared by fabric handle",
                     (handles & cudaMemHandleTypeFabric) != 0);
    lockstep::report("pools on a NUMA node", numa_pools != 0);
    return pools ? EXIT_SUCCESS : EXIT_FAILURE;
}
