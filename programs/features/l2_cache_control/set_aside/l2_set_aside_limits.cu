// Which set-aside sizes does the device accept, and does it set aside exactly what was
// asked for? The program asks for several sizes, up to one byte too many, and reads the
// limit after each.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(80);
    int most = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
    if (most == 0) {  // as under MIG
        std::fprintf(stderr, "this GPU cannot set aside L2 cache\n");
        return lockstep::no_device_status;
    }
    const std::size_t largest = most;
    const std::size_t mib = 1 << 20;

    bool right = true;
    std::printf("%12s  %-22s%12s\n", "asked, bytes", "error", "limit, bytes");
    // [ask]
    for (const std::size_t asked : {std::size_t(0), std::size_t(1), mib, 5 * mib,
                                    16 * mib, largest, largest + 1}) {
        const cudaError_t error =
            cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, asked);
        std::size_t limit = 0;
        lockstep::check(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
        std::printf("%12zu  %-22s%12zu\n", asked, cudaGetErrorName(error), limit);
        // [/ask]
        right =
            right && limit <= largest && (error == cudaSuccess) == (asked <= largest);
    }
    static_cast<void>(cudaGetLastError());  // clears the refusal, which was printed
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
