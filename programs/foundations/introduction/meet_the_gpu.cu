// What does a GPU consist of? This program asks the driver what the first GPU of the
// machine has: its streaming multiprocessors (SMs), the threads that can be resident at
// once, and its memories. The same facts come from one struct and from single attribute
// queries; both must agree.

#include <cstdio>
#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// A single property of device 0.
/// @param which  the property
int attribute(cudaDeviceAttr which) {
    int value = 0;
    lockstep::check(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main() {
    lockstep::require_device();

    // [ask]
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    cudaDeviceProp gpu{};
    lockstep::check(cudaGetDeviceProperties(&gpu, 0));
    // [/ask]
    const int resident = gpu.multiProcessorCount * gpu.maxThreadsPerMultiProcessor;

    lockstep::report("device 0", gpu.name);
    char capability[16];
    std::snprintf(capability, sizeof capability, "%d.%d", gpu.major, gpu.minor);
    lockstep::report("compute capability", capability);
    // [threads]
    lockstep::report("multiprocessors", gpu.multiProcessorCount);
    lockstep::report("threads each can hold", gpu.maxThreadsPerMultiProcessor);
    lockstep::report("threads at once", resident);
    lockstep::report("threads in a warp", gpu.warpSize);
    lockstep::report("threads in a block, at most", gpu.maxThreadsPerBlock);
    // [/threads]
    // [memory]
    lockstep::report("global memory", gpu.totalGlobalMem >> 30, "GiB");
    lockstep::report("L2 cache", gpu.l2CacheSize >> 20, "MiB");
    lockstep::report("shared memory each", gpu.sharedMemPerMultiprocessor >> 10, "KiB");
    lockstep::report("registers each", gpu.regsPerMultiprocessor);
    lockstep::report("constant memory", gpu.totalConstMem >> 10, "KiB");
    // [/memory]

    // [agree]
    const bool agree =
        gpu.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount) &&
        gpu.maxThreadsPerMultiProcessor ==
            attribute(cudaDevAttrMaxThreadsPerMultiProcessor) &&
        gpu.l2CacheSize == attribute(cudaDevAttrL2CacheSize) &&
        gpu.regsPerMultiprocessor ==
            attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    // [/agree]
    lockstep::report("struct and queries agree", agree);
    return agree && devices > 0 && resident > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
