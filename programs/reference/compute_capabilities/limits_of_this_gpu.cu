// Does the table of compute capabilities describe this GPU? The program holds the
// limits as the CUDA Programming Guide lists them, takes the row of the GPU's compute
// capability, and asks the driver for the same limits.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

// [table]
/// Limits of one compute capability.
struct limits {
    int capability;         ///< major * 10 + minor
    int blocks;             ///< blocks that one SM can hold
    int threads;            ///< threads that one SM can hold
    int shared_sm_kib;      ///< shared memory of an SM, KiB
    int shared_opt_in_kib;  ///< shared memory of a block, with permission, KiB
};

constexpr limits table[] = {
    {75, 16, 1024, 64, 64},    {80, 32, 2048, 164, 163},  {86, 16, 1536, 100, 99},
    {87, 16, 1536, 164, 163},  {89, 24, 1536, 100, 99},   {90, 32, 2048, 228, 227},
    {100, 32, 2048, 228, 227}, {103, 32, 2048, 228, 227}, {110, 24, 1536, 228, 227},
    {120, 24, 1536, 100, 99},  {121, 24, 1536, 100, 99},
};
// [/table]

/// Prints one limit, from the table and from the GPU.
/// @param what       the limit
/// @param tabulated  by the table
/// @param attribute  the driver's name for it
/// @param unit       how many of the driver's units are one of the table's
/// @return whether both agree
bool compare(const char* what, int tabulated, cudaDeviceAttr attribute, int unit = 1) {
    int found = 0;
    lockstep::check(cudaDeviceGetAttribute(&found, attribute, 0));
    std::printf("%-36s%12d%12d\n", what, tabulated, found / unit);
    return tabulated == found / unit && found % unit == 0;
}

int main() {
    lockstep::require_device();

    // [capability]
    int major = 0, minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    // [/capability]
    const limits* row = nullptr;
    for (const limits& each : table)
        if (each.capability == major * 10 + minor) row = &each;
    std::printf("compute capability %d.%d\n", major, minor);
    if (!row) {
        std::printf("not in the table\n");
        return EXIT_SUCCESS;
    }

    std::printf("%-36s%12s%12s\n", "limit", "table", "this GPU");
    bool agree = true;
    // [compare]
    agree &= compare("threads in a warp", 32, cudaDevAttrWarpSize);
    agree &= compare("threads in a block", 1024, cudaDevAttrMaxThreadsPerBlock);
    agree &= compare("block extent x", 1024, cudaDevAttrMaxBlockDimX);
    agree &= compare("block extent y", 1024, cudaDevAttrMaxBlockDimY);
    agree &= compare("block extent z", 64, cudaDevAttrMaxBlockDimZ);
    agree &= compare("grid extent x", 2147483647, cudaDevAttrMaxGridDimX);
    agree &= compare("grid extent y", 65535, cudaDevAttrMaxGridDimY);
    agree &= compare("grid extent z", 65535, cudaDevAttrMaxGridDimZ);
    agree &= compare("resident blocks of an SM", row->blocks,
                     cudaDevAttrMaxBlocksPerMultiprocessor);
    agree &= compare("resident threads of an SM", row->threads,
                     cudaDevAttrMaxThreadsPerMultiProcessor);
    agree &=
        compare("registers of an SM", 65536, cudaDevAttrMaxRegistersPerMultiprocessor);
    agree &= compare("registers of a block", 65536, cudaDevAttrMaxRegistersPerBlock);
    agree &= compare("shared memory of an SM, KiB", row->shared_sm_kib,
                     cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1024);
    agree &= compare("shared memory of a block, KiB", 48,
                     cudaDevAttrMaxSharedMemoryPerBlock, 1024);
    agree &= compare("shared memory, after opt-in, KiB", row->shared_opt_in_kib,
                     cudaDevAttrMaxSharedMemoryPerBlockOptin, 1024);
    agree &= compare("constant memory, KiB", 64, cudaDevAttrTotalConstantMemory, 1024);
    // [/compare]
    std::printf("%-36s%12s\n", "table and GPU agree", agree ? "yes" : "no");
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
