// How large is the L2 cache, how much of it can be set aside for persisting accesses,
// and how is that set? Three properties and one limit of the device answer this; the
// program reads the limit before and after it sets it.

#include <algorithm>
#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr double mib = 1 << 20;

int main() {
    lockstep::require_device(80);

    // [query]
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    lockstep::report("L2 cache", device.l2CacheSize / mib, "MiB");
    lockstep::report("largest set-aside", device.persistingL2CacheMaxSize / mib, "MiB");
    lockstep::report("largest policy window", device.accessPolicyMaxWindowSize / mib,
                     "MiB");
    // [/query]

    // the same as attributes, which one can ask for one by one
    int largest = 0, window = 0;
    // [attributes]
    lockstep::check(
        cudaDeviceGetAttribute(&largest, cudaDevAttrMaxPersistingL2CacheSize, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    // [/attributes]

    std::size_t before = 0, after = 0;
    // [set]
    lockstep::check(cudaDeviceGetLimit(&before, cudaLimitPersistingL2CacheSize));
    const std::size_t wanted = std::min(std::size_t(device.l2CacheSize) * 3 / 4,
                                        std::size_t(device.persistingL2CacheMaxSize));
    if (wanted > 0)  // it is 0 under MIG
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, wanted));
    lockstep::check(cudaDeviceGetLimit(&after, cudaLimitPersistingL2CacheSize));
    // [/set]
    lockstep::report("limit, before", static_cast<double>(before) / mib, "MiB");
    lockstep::report("three quarters of L2", device.l2CacheSize * 0.75 / mib, "MiB");
    lockstep::report("asked for", static_cast<double>(wanted) / mib, "MiB");
    lockstep::report("limit, after", static_cast<double>(after) / mib, "MiB");

    const bool agree = largest == device.persistingL2CacheMaxSize &&
                       window == device.accessPolicyMaxWindowSize;
    return agree && after >= wanted ? EXIT_SUCCESS : EXIT_FAILURE;
}
