// Keep the counters of two processors in pages of their own. The CPU and a kernel count
// at the same time, each in an array of counters in managed memory. Place both arrays
// so that no stretch of 64 KiB, which a touch moves here, holds counters of both. The
// arrays lie in one allocation, which may begin anywhere.

#include <cstddef>
#include <cstdint>
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
    std::vector<int> found, expected;
    for (const auto& one : cases) {
        const int n = one.n;
        const std::size_t bytes = bytes_for(n);
        char* data = nullptr;
        lockstep::check(cudaMallocManaged(&data, bytes + 2 * unit));
        char* start = data + (unit - address_of(data) % unit) % unit + one.begin;
        const places at = place(n, start);
        const bool inside = address_of(at.cpu) >= address_of(start) &&
                            address_of(at.gpu) >= address_of(start) &&
                            address_of(at.cpu + n) <= address_of(start) + bytes &&
                            address_of(at.gpu + n) <= address_of(start) + bytes;
        const bool apart =
            address_of(at.cpu + n - 1) / unit < address_of(at.gpu) / unit ||
            address_of(at.gpu + n - 1) / unit < address_of(at.cpu) / unit;
        verdict.holds(one.name, inside && apart,
                      inside ? "a unit of 64 KiB holds counters of both"
                             : "an array reaches beyond the allocation");
        if (inside && apart) {
            for (int i = 0; i < n; ++i) at.cpu[i] = at.gpu[i] = i;
            count_each<<<(n + 255) / 256, 256>>>(n, at.gpu);
            lockstep::check(cudaGetLastError());
            if (!concurrent) lockstep::check(cudaDeviceSynchronize());
            for (int i = 0; i < n; ++i) at.cpu[i] += 1;  // beside the kernel
            lockstep::check(cudaDeviceSynchronize());
            for (int i = 0; i < n; ++i) {
                found.insert(found.end(), {at.cpu[i], at.gpu[i]});
                expected.insert(expected.end(), {i + 1, i + 1});
            }
        }
        lockstep::check(cudaFree(data));
    }
    verdict.equal("counts", found, expected);
    return verdict.finish();
}
