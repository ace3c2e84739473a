// How long does the host need to allocate, free and synchronize? Not one number but a
// distribution: for cudaMalloc, for a pool that gives its memory back at each
// synchronization, and for a pool that keeps it.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Makes a pool like the default one.
/// @param threshold  its release threshold in bytes
cudaMemPool_t new_pool(std::uint64_t threshold) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    return pool;
}

/// Times some work again and again, after ten runs that are not counted.
/// @param runs  how often
/// @param work  what is timed
/// @return host times in microseconds, sorted
std::vector<double> times_us(int runs, const std::function<void()>& work) {
    using clock = std::chrono::steady_clock;
    std::vector<double> us;
    for (int run = -10; run < runs; ++run) {
        const auto begin = clock::now();
        work();
        const auto end = clock::now();
        if (run >= 0)
            us.push_back(
                std::chrono::duration<double, std::micro>(end - begin).count());
    }
    std::sort(us.begin(), us.end());
    return us;
}

/// The value below which so many percent of the samples lie.
/// @param sorted   samples in rising order
/// @param percent  from 0 to 100
double quantile(const std::vector<double>& sorted, int percent) {
    return sorted[(sorted.size() - 1) * percent / 100];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int runs = options.integer("runs", 300, 20, 10'000);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    const cudaMemPool_t returning = new_pool(0);
    const cudaMemPool_t keeping = new_pool(UINT64_MAX);
    lockstep::csv_file series(csv, "way,percent,~us_4_kib,~us_1_mib,~us_64_mib");
    std::vector<double> all_us[3][3];  // for each method and size
    const char* names[] = {"cudaMalloc", "pool, returns", "pool, keeps"};
    int place = 0;
    std::printf("%-10s%-18s%14s%14s%14s\n", "size", "way", "10 %, us", "median, us",
                "99 %, us");
    bool kept_is_faster = true;
    const struct {
        const char* name;
        std::size_t bytes;
    } sizes[] = {{"4 KiB", 4 << 10}, {"1 MiB", 1 << 20}, {"64 MiB", 64 << 20}};
    for (const auto& [size, bytes] : sizes) {
        void* x = nullptr;
        // [ways]
        const auto from_pool = [&, bytes = bytes](cudaMemPool_t pool) {
            lockstep::check(cudaMallocFromPoolAsync(&x, bytes, pool, stream));
            lockstep::check(cudaFreeAsync(x, stream));
            lockstep::check(cudaStreamSynchronize(stream));
        };
        const std::function<void()> methods[] = {
            [&, bytes = bytes] {
                lockstep::check(cudaMalloc(&x, bytes));
                lockstep::check(cudaFree(x));
                lockstep::check(cudaStreamSynchronize(stream));
            },
            [&] { from_pool(returning); },
            [&] { from_pool(keeping); },
        };
        // [/ways]
        for (int i = 0; i < 3; ++i) {
            std::vector<double>& us = all_us[i][place];
            us = times_us(runs, methods[i]);
            char cells[3][16];
            std::snprintf(cells[0], sizeof cells[0], "~%.3g", quantile(us, 10));
            std::snprintf(cells[1], sizeof cells[1], "~%.3g", quantile(us, 50));
            std::snprintf(cells[2], sizeof cells[2], "~%.3g", quantile(us, 99));
            std::printf("%-10s%-18s%14s%14s%14s\n", size, names[i], cells[0], cells[1],
                        cells[2]);
        }
        const double kept = quantile(all_us[2][place], 50);
        kept_is_faster = kept_is_faster && kept < quantile(all_us[0][place], 50) &&
                         kept < quantile(all_us[1][place], 50);
        ++place;
    }
    for (int i = 0; i < 3; ++i)
        for (int percent = 0; percent <= 100; percent += percent < 90 ? 10 : 2)
            series.row("\"%s\",%d,%.4g,%.4g,%.4g", names[i], percent,
                       quantile(all_us[i][0], percent), quantile(all_us[i][1], percent),
                       quantile(all_us[i][2], percent));
    series.finish();
    lockstep::check(cudaMemPoolDestroy(returning));
    lockstep::check(cudaMemPoolDestroy(keeping));
    return untimed || kept_is_faster ? EXIT_SUCCESS : EXIT_FAILURE;
}
