// Which kind of unified memory does this machine have? Three device attributes decide,
// asked in order. On most Linux machines with a discrete GPU the answer is full support
// for memory that CUDA allocated; plain malloc memory joins only with HMM (software) or
// ATS (hardware).

#include <cstdlib>
#include <cstring>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The value of a yes-or-no device attribute.
/// @param attribute  which one
/// @param device     device number
bool has(cudaDeviceAttr attribute, int device) {
    int value = 0;
    lockstep::check(cudaDeviceGetAttribute(&value, attribute, device));
    return value != 0;
}

// [decide]
/// The name of the unified memory that a device offers.
/// @param device  device number
const char* paradigm(int device) {
    if (!has(cudaDevAttrConcurrentManagedAccess, device))
        return "limited (Windows, WSL, some Tegra)";
    if (!has(cudaDevAttrPageableMemoryAccess, device))
        return "full, for managed memory";
    if (!has(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device))
        return "full, all system memory, in software";
    return "full, all system memory, in hardware";
}
// [/decide]

int main() {
    lockstep::require_device();

    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    for (int device = 0; device < devices; ++device) {
        lockstep::check(cudaInitDevice(device, 0, 0));
        lockstep::report("device", device);
        // [attributes]
        lockstep::report("concurrent managed access",
                         has(cudaDevAttrConcurrentManagedAccess, device));
        lockstep::report("pageable memory access",
                         has(cudaDevAttrPageableMemoryAccess, device));
        lockstep::report(
            "through host page tables",
            has(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device));
        lockstep::report("CPU reads device memory",
                         has(cudaDevAttrDirectManagedMemAccessFromHost, device));
        lockstep::report("native CPU-GPU atomics",
                         has(cudaDevAttrHostNativeAtomicSupported, device));
        lockstep::report("unified memory", paradigm(device));
        // [/attributes]
    }
    // The hardware kind contains the software kind, which contains the plain one.
    const bool nested = !has(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0) ||
                        has(cudaDevAttrPageableMemoryAccess, 0);
    return nested && std::strlen(paradigm(0)) > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
