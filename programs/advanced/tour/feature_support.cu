// Which features of the tour does this GPU have? One line for each feature: what it
// requires, and whether this GPU supports it.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    const auto attribute = [](cudaDeviceAttr which) {
        int value = 0;
        lockstep::check(cudaDeviceGetAttribute(&value, which, 0));
        return value;
    };
    const int capability = 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
                           attribute(cudaDevAttrComputeCapabilityMinor);
    // [features]
    const struct {
        const char* name;
        const char* needs;
        bool here;
    } features[] = {
        {"asynchronous barriers, hardware", "capability 8.0", capability >= 80},
        {"asynchronous copies", "capability 8.0", capability >= 80},
        {"tensor memory accelerator", "capability 9.0", capability >= 90},
        {"programmatic dependent launch", "capability 9.0", capability >= 90},
        {"clusters", "capability 9.0", attribute(cudaDevAttrClusterLaunch) != 0},
        {"cluster launch control", "capability 10.0", capability >= 100},
        {"cooperative groups, grid", "attribute",
         attribute(cudaDevAttrCooperativeLaunch) != 0},
        {"stream-ordered allocation", "attribute",
         attribute(cudaDevAttrMemoryPoolsSupported) != 0},
        {"unified memory, concurrent", "attribute",
         attribute(cudaDevAttrConcurrentManagedAccess) != 0},
        {"unified memory, pageable", "attribute",
         attribute(cudaDevAttrPageableMemoryAccess) != 0},
        {"interprocess events", "attribute",
         attribute(cudaDevAttrIpcEventSupport) != 0},
    };
    // [/features]
    for (const auto& [name, needs, here] : features)
        std::printf("%-32s%-18s%s\n", name, needs, here ? "yes" : "no");
    return EXIT_SUCCESS;
}
