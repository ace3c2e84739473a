// The same kernel with three launches: one thread, one block, and enough blocks to fill
// the GPU. In the first two only one SM of many works, and in the first only one lane
// of it.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// c = a + b, with any grid.
/// @param n  number of elements
/// @param a  n floats in device memory
/// @param b  n floats in device memory
/// @param c  n floats in device memory, written
__global__ void add(std::size_t n, const float* a, const float* b, float* c) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        c[i] = a[i] + b[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", 32 << 20, 1, 1 << 28);
    options.finish();
    lockstep::require_device();

    std::vector<float> a(n);
    std::vector<float> b(n);
    std::vector<float> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 4096);
        b[i] = static_cast<float>(i % 1000);
        expected[i] = a[i] + b[i];
    }
    const lockstep::device_buffer<float> d_a(a);
    const lockstep::device_buffer<float> d_b(b);
    lockstep::device_buffer<float> d_c(n);
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const struct {
        const char* name;
        int blocks;
        int threads;
    } shapes[] = {{"one thread", 1, 1},
                  {"one block", 1, 1024},
                  {"two blocks for each SM", 2 * sms, 1024}};
    bool right = true;
    std::printf("%-26s%12s%14s\n", "", "time", "rate");
    for (const auto& [name, blocks, threads] : shapes) {
        d_c.fill_bytes(0xFF);
        const auto launch = [&, grid = blocks, block = threads] {
            add<<<grid, block>>>(n, d_a.data(), d_b.data(), d_c.data());
        };
        const double ms =
            lockstep::time_on_device(launch, blocks == 1 ? 1 : 20).median_ms;
        right = right && lockstep::count_mismatches(d_c.to_host(), expected) == 0;
        const double gb = 3 * n * sizeof(float) / ms * 1e-6;
        char time[32];
        char rate[32];
        std::snprintf(time, sizeof time,
                      ms < 1     ? "~%.3f ms"
                      : ms < 100 ? "~%.1f ms"
                                 : "~%.0f ms",
                      ms);
        std::snprintf(rate, sizeof rate,
                      gb < 1     ? "~%.3f GB/s"
                      : gb < 100 ? "~%.1f GB/s"
                                 : "~%.0f GB/s",
                      gb);
        std::printf("%-26s%12s%14s\n", name, time, rate);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
