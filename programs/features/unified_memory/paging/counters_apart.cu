// Keep the counters of two processors in pages of their own. The CPU and a kernel count
// at the same time, each in an array of counters in managed memory. Place both arrays
// so that no stretch of 64 KiB, which a touch moves here, holds counters of both. The
// arrays lie in one allocation, which may begin anywhere.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t unit = 64 << 10;

/// Where the counters begin.
struct places {
    int* cpu;
    int* gpu;
};

// [task]
/// Bytes to allocate.
/// @param n  counters of each processor
std::size_t bytes_for(int n) {
    const std::size_t units = (n * sizeof(int) + unit - 1) / unit;
    return (2 * units + 1) * unit;  // one more, since the first may begin within a unit
}

/// Places the counters in an allocation.
/// @param n     counters of each processor
/// @param data  an allocation of bytes_for(n)
places place(int n, char* data) {
    const std::size_t units = (n * sizeof(int) + unit - 1) / unit;
    const std::size_t over = reinterpret_cast<std::uintptr_t>(data) % unit;
    char* first = data + (over ? unit - over : 0);
    return {reinterpret_cast<int*>(first),
            reinterpret_cast<int*>(first + units * unit)};
}
//= given
//| /// Bytes to allocate.
//| /// @param n  counters of each processor
//| std::size_t bytes_for(int n) { return 2 * n * sizeof(int); }
//|
//| /// Places the counters in an allocation.
//| /// @param n     counters of each processor
//| /// @param data  an allocation of bytes_for(n)
//| places place(int n, char* data) {
//|     int* first = reinterpret_cast<int*>(data);
//|     return {first, first + n};
//| }
//= mutant small_pages
//| std::size_t bytes_for(int n) { return 2 * (n * sizeof(int) + 8192); }
//| places place(int n, char* data) {
//|     const std::size_t pages = (n * sizeof(int) + 4095) / 4096;
//|     return {reinterpret_cast<int*>(data), reinterpret_cast<int*>(data + 4096 * pages)};
//| }
//= mutant one_unit_each
//| std::size_t bytes_for(int) { return 3 * unit; }
//| places place(int, char* data) {
//|     const std::size_t over = reinterpret_cast<std::uintptr_t>(data) % unit;
//|     char* first = data + (over ? unit - over : 0);
//|     return {reinterpret_cast<int*>(first), reinterpret_cast<int*>(first + unit)};
//| }
//= mutant not_aligned
//| std::size_t bytes_for(int n) {
//|     return 2 * ((n * sizeof(int) + unit - 1) / unit) * unit;
//| }
//| places place(int n, char* data) {
//|     const std::size_t units = (n * sizeof(int) + unit - 1) / unit;
//|     return {reinterpret_cast<int*>(data), reinterpret_cast<int*>(data + units * unit)};
//| }
// [/task]

/// Counts once in each counter.
/// @param n         number of counters
/// @param counters  n ints in managed memory
__global__ void count_each(int n, int* counters) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counters[i] += 1;
}

/// The address of a counter, as a number.
/// @param counter  the counter
std::uintptr_t address_of(const void* counter) {
    return reinterpret_cast<std::uintptr_t>(counter);
}

int main() {
    lockstep::require_device();
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    const struct {
        const char* name;
        int n;
        std::size_t begin;  // bytes from the beginning of a unit
    } cases[] = {{"10 counters", 10, 0},
                 {"10, begin within a unit", 10, 4096},
                 {"32768 counters", 32'768, 0},
                 {"32768, begin within a unit", 32'768, 4096}};
    lockstep::exercise_verdict verdict;
    const auto counter_of = [](std::size_t i) {
        return "counter " + std::to_string(i / 2) +
               (i % 2 == 0 ? " of the CPU" : " of the GPU");
    };
    for (const auto& one : cases) {
        const int n = one.n;
        const std::size_t bytes = bytes_for(n);
        char* data = nullptr;
        lockstep::check(cudaMallocManaged(&data, bytes + 2 * unit));
        char* start = data + (unit - address_of(data) % unit) % unit + one.begin;
        const places at = place(n, start);
        const auto within = [&](const int* counters) {
            return address_of(counters) >= address_of(start) &&
                   address_of(counters + n) <= address_of(start) + bytes;
        };
        const bool inside = within(at.cpu) && within(at.gpu);
        const bool apart =
            address_of(at.cpu + n - 1) / unit < address_of(at.gpu) / unit ||
            address_of(at.gpu + n - 1) / unit < address_of(at.cpu) / unit;
        const char* advice =
            "the last of the GPU and the first of the CPU share a unit";
        if (address_of(at.cpu) < address_of(at.gpu))
            advice = "the last of the CPU and the first of the GPU share a unit";
        if (!within(at.gpu)) advice = "those of the GPU reach beyond the allocation";
        if (!within(at.cpu)) advice = "those of the CPU reach beyond the allocation";
        verdict.holds(one.name, inside && apart, advice);
        if (inside && apart) {
            for (int i = 0; i < n; ++i) {
                at.cpu[i] = i;
                at.gpu[i] = 1'000'000 + 2 * i;
            }
            count_each<<<(n + 255) / 256, 256>>>(n, at.gpu);
            lockstep::check(cudaGetLastError());
            if (!concurrent) lockstep::check(cudaDeviceSynchronize());
            for (int i = 0; i < n; ++i) at.cpu[i] += 1;  // beside the kernel
            lockstep::check(cudaDeviceSynchronize());
            std::vector<int> found, expected;
            for (int i = 0; i < n; ++i) {
                found.insert(found.end(), {at.cpu[i], at.gpu[i]});
                expected.insert(expected.end(), {i + 1, 1'000'001 + 2 * i});
            }
            verdict.equal("  counts", found, expected, counter_of);
        }
        lockstep::check(cudaFree(data));
    }
    return verdict.finish();
}
