// A computation needs temporary memory in each of its steps. What does a step cost if
// the memory is allocated in each step, by cudaMalloc or from a pool, and what if it
// was allocated once? With a pool that keeps its memory, the difference nearly
// vanishes.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// First half of a step: fills the temporary array from the state.
/// @param n     number of elements
/// @param x     the state, n numbers in device memory
/// @param temp  n numbers in device memory, written
__global__ void first_half(int n, const unsigned* x, unsigned* temp) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) temp[i] = 3 * x[i];
}

/// Second half of a step: changes the state by means of the temporary array.
/// @param n     number of elements
/// @param x     the state, n numbers in device memory, changed
/// @param temp  n numbers in device memory
__global__ void second_half(int n, unsigned* x, const unsigned* temp) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = temp[i] + temp[n - 1 - i] + 1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 256, 1 << 24);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr int steps = 20;
    const std::size_t bytes = n * sizeof(unsigned);
    const lockstep::owned_stream stream;
    lockstep::device_buffer<unsigned> d_x(n);
    lockstep::device_buffer<unsigned> d_once(n);
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 0));
    const auto keep = [&](std::uint64_t threshold) {
        lockstep::check(
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    };
    // [ways]
    unsigned* temp = nullptr;
    const auto work = [&] {
        first_half<<<(n + 255) / 256, 256, 0, stream>>>(n, d_x.data(), temp);
        second_half<<<(n + 255) / 256, 256, 0, stream>>>(n, d_x.data(), temp);
        lockstep::check(cudaGetLastError());
    };
    const auto by_malloc = [&] {
        lockstep::check(cudaMalloc(&temp, bytes));
        work();
        lockstep::check(cudaFree(temp));
    };
    const auto by_pool = [&] {
        lockstep::check(cudaMallocAsync(&temp, bytes, stream));
        work();
        lockstep::check(cudaFreeAsync(temp, stream));
    };
    const auto allocated_once = [&] {
        temp = d_once.data();
        work();
    };
    // [/ways]
    const auto wait = [&] { lockstep::check(cudaStreamSynchronize(stream)); };
    const auto us_per_step = [&](const std::function<void()>& step, bool each) {
        std::vector<double> samples_ms;
        for (int run = -3; run < 20; ++run) {
            d_x.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            const auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < steps; ++i) {
                step();
                if (each) wait();
            }
            wait();
            const auto end = std::chrono::steady_clock::now();
            if (run >= 0)
                samples_ms.push_back(
                    std::chrono::duration<double, std::milli>(end - begin).count());
        }
        return 1e3 * lockstep::summarize(samples_ms).median_ms / steps;
    };
    unsigned expected = 0;
    for (int i = 0; i < steps; ++i) expected = 6 * expected + 1;

    const struct {
        const char* name;
        std::uint64_t threshold;
        std::function<void()> step;
    } methods[] = {{"cudaMalloc each step", 0, by_malloc},
                   {"pool, threshold 0", 0, by_pool},
                   {"pool, threshold UINT64_MAX", UINT64_MAX, by_pool},
                   {"allocated once", 0, allocated_once}};
    lockstep::csv_file series(csv, "way,host_waits,~us");
    bool right = true;
    double us[4][2] = {};
    std::printf("%-28s%20s%20s\n", "us for each step", "host waits: at end",
                "each step");
    for (int i = 0; i < 4; ++i) {
        keep(methods[i].threshold);
        char cells[2][16];
        for (int each = 0; each < 2; ++each) {
            us[i][each] = us_per_step(methods[i].step, each);
            std::snprintf(cells[each], sizeof cells[each], "~%.3g", us[i][each]);
            series.row("\"%s\",%s,%.4g", methods[i].name,
                       each ? "each step" : "at the end", us[i][each]);
            for (const unsigned x : d_x.to_host()) right = right && x == expected;
        }
        std::printf("%-28s%20s%20s\n", methods[i].name, cells[0], cells[1]);
    }
    series.finish();
    const bool as_expected = us[2][0] < us[0][0] && us[2][1] < us[1][1];
    return right && (untimed || as_expected) ? EXIT_SUCCESS : EXIT_FAILURE;
}
