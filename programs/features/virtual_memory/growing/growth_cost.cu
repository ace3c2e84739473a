// What does it cost to enlarge an array on the GPU by 32 MiB? A new allocation and a
// copy cost time that grows with the data that is there already. Mapping 32 MiB more
// takes time that depends on these 32 MiB alone.

#include <chrono>
#include <cstddef>
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

/// Enlarges an array by mapping more memory after its end.
/// @param held   bytes of the array before
/// @param right  set to false if data was lost
/// @return the time of the growth
double map_more(std::size_t held, bool& right) {
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
    const double ms = time_of([&] { map_at(held, growth); });
    right &= kept(reinterpret_cast<const char*>(address), held);
    lockstep::check(cuMemUnmap(address, held));
    lockstep::check(cuMemUnmap(address + held, growth));
    lockstep::check(cuMemAddressFree(address, held + growth));
    return ms;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto most = options.integer<long long>("mib", 4096, 4, 8192);
    const auto runs = options.integer<long long>("runs", 20, 1, 100);
    const char* path = options.text("csv");
    options.finish();
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    lockstep::csv_file series(path, "way,held_mib,~ms");
    bool right = true;
    std::printf("held, MiB   copy to new, ms   map more, ms\n");
    for (long long held = 4; held <= most; held *= 4) {
        std::vector<double> copied, mapped;
        for (int run = -2; run < runs; ++run) {
            const double copy_ms = copy_to_new(held * mib, right);
            const double map_ms = map_more(held * mib, right);
            if (run < 0) continue;
            copied.push_back(copy_ms);
            mapped.push_back(map_ms);
        }
        const double copy_ms = lockstep::summarize(copied).median_ms;
        const double map_ms = lockstep::summarize(mapped).median_ms;
        std::printf("%-12lld~%-17.3f~%.3f\n", held, copy_ms, map_ms);
        series.row("copy to new,%lld,%.4f", held, copy_ms);
        series.row("map more,%lld,%.4f", held, map_ms);
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
