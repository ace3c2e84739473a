// What do the counters of a pool count? Reserved is physical memory that the pool
// holds, used is the part of it that is allocated; each has a watermark, the largest
// value since it was reset.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

// [statistics]
/// The four counters of a pool, in bytes.
struct statistics {
    std::uint64_t reserved;
    std::uint64_t reserved_high;
    std::uint64_t used;
    std::uint64_t used_high;
};

/// Reads the counters.
/// @param pool  the pool
statistics statistics_of(cudaMemPool_t pool) {
    statistics now{};
    const auto get = [&](cudaMemPoolAttr counter, std::uint64_t* value) {
        lockstep::check(cudaMemPoolGetAttribute(pool, counter, value));
    };
    get(cudaMemPoolAttrReservedMemCurrent, &now.reserved);
    get(cudaMemPoolAttrReservedMemHigh, &now.reserved_high);
    get(cudaMemPoolAttrUsedMemCurrent, &now.used);
    get(cudaMemPoolAttrUsedMemHigh, &now.used_high);
    return now;
}

/// Resets the two watermarks.
/// @param pool  the pool
void reset_watermarks(cudaMemPool_t pool) {
    std::uint64_t zero = 0;  // no other value is allowed
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
}
// [/statistics]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    std::printf("%-30s%12s%12s%12s%12s\n", "MiB", "reserved", "highest", "used",
                "highest");
    const auto print = [&](const char* moment) {
        const statistics now = statistics_of(pool);
        std::printf("%-30s%12d%12d%12d%12d\n", moment, int(now.reserved / mib),
                    int(now.reserved_high / mib), int(now.used / mib),
                    int(now.used_high / mib));
        return now;
    };
    // [steps]
    void* small = nullptr;
    void* large = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&small, 32 * mib, pool, stream));
    lockstep::check(cudaMallocFromPoolAsync(&large, 96 * mib, pool, stream));
    const statistics both = print("32 and 96 MiB allocated");
    lockstep::check(cudaFreeAsync(large, stream));
    const statistics freed = print("96 MiB freed");
    lockstep::check(cudaStreamSynchronize(stream));
    const statistics synchronized = print("synchronized");
    reset_watermarks(pool);
    const statistics reset = print("watermarks reset");
    lockstep::check(cudaFreeAsync(small, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const statistics last = print("32 MiB freed, synchronized");
    // [/steps]
    lockstep::check(cudaMemPoolDestroy(pool));
    const bool as_expected =
        both.used == 128 * mib && both.reserved >= both.used &&
        freed.reserved == both.reserved && synchronized.reserved < both.reserved &&
        synchronized.used == 32 * mib && synchronized.used_high == 128 * mib &&
        reset.used_high < 128 * mib && last.used == 0;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
