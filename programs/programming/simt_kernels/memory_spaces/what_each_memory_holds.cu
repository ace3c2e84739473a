// How much is there of each memory? The device's properties say it: for a block, for an
// SM, for all.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [properties]
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    lockstep::report("registers of a block", device.regsPerBlock);
    lockstep::report("registers of an SM", device.regsPerMultiprocessor);
    lockstep::report("shared memory of a block", device.sharedMemPerBlock, "bytes");
    lockstep::report("the same, opted in", device.sharedMemPerBlockOptin, "bytes");
    lockstep::report("reserved for each block", device.reservedSharedMemPerBlock,
                     "bytes");
    lockstep::report("shared memory of an SM", device.sharedMemPerMultiprocessor,
                     "bytes");
    lockstep::report("constant memory", device.totalConstMem, "bytes");
    lockstep::report("L2 cache", device.l2CacheSize, "bytes");
    lockstep::report("more than 16 GiB global", device.totalGlobalMem > (16ull << 30));
    // [/properties]
    const bool nested =
        device.sharedMemPerBlock <= device.sharedMemPerBlockOptin &&
        device.sharedMemPerBlockOptin + device.reservedSharedMemPerBlock <=
            device.sharedMemPerMultiprocessor;
    return nested ? EXIT_SUCCESS : EXIT_FAILURE;
}
