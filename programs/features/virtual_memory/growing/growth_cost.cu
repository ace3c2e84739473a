// What does it cost to enlarge an array on the GPU by 32 MiB? Three ways: a new
// allocation and a copy, the same in a memory pool that keeps its memory, and mapping
// 32 MiB more after the end, which copies nothing. The copy takes time for all data
// that is there already; mapping depends on it far less.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t growth = 32 * mib;

/// Time of a call in milliseconds; the GPU is idle before it and after it.
template <class Act>
double time_of(Act&& act) {
    lockstep::check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    act();
    lockstep::check(cudaDeviceSynchronize());
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

/// Whether the last word of the old data is 42.
bool kept(const char* data, std::size_t held) {
    int word = 0;
    lockstep::check(cudaMemcpy(&word, data + held - sizeof word, sizeof word,
                               cudaMemcpyDeviceToHost));
    return word == 42;
}

/// Enlarges an array by a new allocation and a copy.
/// @param held   bytes of the array before
/// @param right  set to false if data was lost
/// @return the time of the growth
double copy_to_new(std::size_t held, bool& right) {
    char* old = nullptr;
    char* larger = nullptr;
    lockstep::check(cudaMalloc(&old, held));
    lockstep::check(cuMemsetD32(reinterpret_cast<CUdeviceptr>(old), 42, held / 4));
    const double ms = time_of([&] {
        // [copy]
        lockstep::check(cudaMalloc(&larger, held + growth));
        lockstep::check(cudaMemcpy(larger, old, held, cudaMemcpyDeviceToDevice));
        lockstep::check(cudaFree(old));
        // [/copy]
    });
    right &= kept(larger, held);
    lockstep::check(cudaFree(larger));
    return ms;
}

/// Enlarges an array by a new allocation of a pool and a copy.
/// @param held   bytes of the array before
/// @param pool   keeps what is freed
/// @param right  set to false if data was lost
/// @return the time of the growth
double copy_in_pool(std::size_t held, cudaMemPool_t pool, bool& right) {
    char* old = nullptr;
    char* larger = nullptr;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&old, held, pool, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cuMemsetD32(reinterpret_cast<CUdeviceptr>(old), 42, held / 4));
    const double ms = time_of([&] {
        // [pool]
        lockstep::check(cudaMallocFromPoolAsync(&larger, held + growth, pool, stream));
        lockstep::check(
            cudaMemcpyAsync(larger, old, held, cudaMemcpyDeviceToDevice, stream));
        lockstep::check(cudaFreeAsync(old, stream));
        // [/pool]
    });
    right &= kept(larger, held);
    lockstep::check(cudaFreeAsync(larger, stream));
    return ms;
}

/// Times of a growth and of taking it back.
struct mapping_ms {
    double map, unmap;
};

/// Enlarges an array by mapping more memory after its end, and makes it smaller again.
/// @param held   bytes of the array before
/// @param right  set to false if data was lost
mapping_ms map_more(std::size_t held, bool& right) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, held + growth, 0, 0, 0));
    const auto map_at = [&](std::size_t offset, std::size_t bytes) {
        // [map]
        CUmemGenericAllocationHandle memory = 0;
        lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
        lockstep::check(cuMemMap(address + offset, bytes, 0, memory, 0));
        lockstep::check(cuMemSetAccess(address + offset, bytes, &access, 1));
        lockstep::check(cuMemRelease(memory));
        // [/map]
    };
    map_at(0, held);
    lockstep::check(cuMemsetD32(address, 42, held / 4));
    const double map_ms = time_of([&] { map_at(held, growth); });
    right &= kept(reinterpret_cast<const char*>(address), held);
    const double unmap_ms =
        time_of([&] { lockstep::check(cuMemUnmap(address + held, growth)); });
    lockstep::check(cuMemUnmap(address, held));
    lockstep::check(cuMemAddressFree(address, held + growth));
    return {map_ms, unmap_ms};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto most = options.integer<long long>("mib", 4096, 4, 8192);
    const auto runs = options.integer<long long>("runs", 20, 1, 100);
    const char* path = options.text("csv");
    options.finish();
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    // [keep]
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t all = UINT64_MAX;  // unused bytes that it may keep
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    // [/keep]

    const char* ways[] = {"copy to new", "copy in pool", "map more", "unmap"};
    lockstep::csv_file series(path, "way,held_mib,~ms");
    bool right = true;
    std::printf("%-12s%-18s%-18s%-18s%s\n", "held, MiB", "copy to new, ms",
                "copy in pool, ms", "map more, ms", "unmap, ms");
    for (long long held = 4; held <= most; held *= 4) {
        std::vector<double> samples[4];
        for (int run = -2; run < runs; ++run) {
            const double copy_ms = copy_to_new(held * mib, right);
            const double pool_ms = copy_in_pool(held * mib, pool, right);
            const mapping_ms mapping = map_more(held * mib, right);
            if (run < 0) continue;
            samples[0].push_back(copy_ms);
            samples[1].push_back(pool_ms);
            samples[2].push_back(mapping.map);
            samples[3].push_back(mapping.unmap);
        }
        std::printf("%-12lld", held);
        for (int i = 0; i < 4; ++i) {
            const double ms = lockstep::summarize(samples[i]).median_ms;
            std::printf(i < 3 ? "~%-17.3f" : "~%.3f\n", ms);
            series.row("%s,%lld,%.4f", ways[i], held, ms);
        }
    }
    series.finish();
    lockstep::check(cudaMemPoolDestroy(pool));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
