// What does lazy loading save at the start, and what does it cost later? This program
// has 256 kernels of some kilobytes of code each, and uses as many of them as it is
// told.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <cuda.h>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/series.hpp>
#include <lockstep/statistics.hpp>

/// One of many kernels, each with code of its own.
/// @param x  one float in device memory
template <int number>
__global__ void kernel(float* x) {
    float value = *x;
#pragma unroll
    for (int i = 0; i < 400; ++i)
        value = value * (1.0F + 1e-6F * (number + i)) + 1e-3F * (number - i);
    *x = value;
}

constexpr int all_kernels = 256;

/// The kernels by number.
template <int... numbers>
constexpr std::array<void (*)(float*), sizeof...(numbers)> kernels(
    std::integer_sequence<int, numbers...>) {
    return {kernel<numbers>...};
}

/// Free memory of the current context's device, in MiB.
double free_mib() {
    std::size_t free = 0;
    std::size_t total = 0;
    lockstep::check(cuMemGetInfo(&free, &total));
    return static_cast<double>(free) / (1 << 20);
}

/// Starts CUDA, uses some kernels, and prints what that took.
void start_and_use(int used) {
    using clock = std::chrono::steady_clock;
    const auto ms = [](clock::time_point from, clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    };
    // [phases]
    const auto begin = clock::now();
    CUcontext context{};
    lockstep::check(cuInit(0));
    lockstep::check(cuDevicePrimaryCtxRetain(&context, 0));
    lockstep::check(cuCtxSetCurrent(context));
    const auto created = clock::now();  // the context exists, and holds no module yet
    const double free_before = free_mib();

    const auto before_start = clock::now();
    lockstep::check(cudaFree(nullptr));  // the runtime starts, and loads what is eager
    const auto started = clock::now();
    const double free_started = free_mib();

    float* x = nullptr;
    lockstep::check(cudaMalloc(&x, sizeof(float)));
    lockstep::check(cudaMemset(x, 0, sizeof(float)));
    lockstep::check(cudaDeviceSynchronize());
    const double free_allocated = free_mib();
    const auto before_use = clock::now();
    constexpr auto all = kernels(std::make_integer_sequence<int, all_kernels>());
    for (int i = 0; i < used; ++i) all[i]<<<1, 1>>>(x);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const auto done = clock::now();
    // [/phases]
    const double used_later = free_allocated - free_mib();
    lockstep::check(cudaFree(x));
    lockstep::report("kernels used", used);
    lockstep::report("context", lockstep::measured{ms(begin, created)}, "ms");
    lockstep::report("start of the runtime",
                     lockstep::measured{ms(before_start, started)}, "ms");
    lockstep::report("first launches", lockstep::measured{ms(before_use, done)}, "ms");
    lockstep::report("memory, start", lockstep::measured{free_before - free_started},
                     "MiB");
    lockstep::report("memory, first launches", lockstep::measured{used_later}, "MiB");
}

/// The number after a label in what a child process printed.
double number_after(const std::string& output, const char* label) {
    const std::size_t at = output.find(label);
    if (at == std::string::npos) {
        std::fprintf(stderr, "a child process printed no \"%s\"\n", label);
        std::exit(EXIT_FAILURE);
    }
    return std::strtod(output.c_str() + output.find('~', at) + 1, nullptr);
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int used = static_cast<int>(arguments.integer("used", 1, 0, all_kernels));
    const int starts = static_cast<int>(arguments.integer("starts", 7, 1, 100));
    const bool sweep = arguments.flag("sweep");
    const char* csv = arguments.text("csv");
    arguments.finish();
    lockstep::require_device();

    if (!sweep) {
        start_and_use(used);
        return EXIT_SUCCESS;
    }
    // [sweep]
    lockstep::series file(csv, "loading,kernels,~ms,~mib");
    std::printf("%-10s%-10s%-13s%s\n", "loading", "kernels", "time, ms", "memory, MiB");
    for (const char* mode : {"LAZY", "EAGER"}) {
        setenv("CUDA_MODULE_LOADING", mode, 1);  // for the child processes
        for (const int count : {1, 16, 64, 128, 256}) {
            std::vector<double> ms;
            double mib = 0;
            for (int i = 0; i < starts; ++i) {
                const std::string said =
                    lockstep::output_of(argv[0], "--used " + std::to_string(count));
                ms.push_back(number_after(said, "start of the runtime") +
                             number_after(said, "first launches"));
                mib = number_after(said, "memory, start") +
                      number_after(said, "memory, first");
            }
            const double median = lockstep::summarize(ms).median_ms;
            std::printf("%-10s%-10d~%-12.1f~%.0f\n", mode, count, median, mib);
            file.row("%s,%d,%.2f,%.1f", mode, count, median, mib);
        }
    }
    file.finish();
    // [/sweep]
    return EXIT_SUCCESS;
}
