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

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>
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

/// Memory of the device that is in use, in MiB.
double used_mib() { return lockstep::memory_in_use() / double(1 << 20); }

/// Starts CUDA, uses some kernels, and prints what that took.
void start_and_use(int used) {
    using clock = std::chrono::steady_clock;
    const auto ms = [](clock::time_point from, clock::time_point to) {
        return lockstep::measured{
            std::chrono::duration<double, std::milli>(to - from).count()};
    };
    // [phases]
    const auto begin = clock::now();
    lockstep::require_device();  // the first call of the runtime
    const auto registered = clock::now();
    lockstep::check(cudaFree(nullptr));  // the first call that needs a context
    const auto created = clock::now();
    const double mib_at_start = used_mib();

    lockstep::device_buffer<float> x(std::vector<float>{0});
    lockstep::check(cudaDeviceSynchronize());
    constexpr auto all = kernels(std::make_integer_sequence<int, all_kernels>());
    const auto before_use = clock::now();
    for (int i = 0; i < used; ++i) all[i]<<<1, 1>>>(x.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const auto done = clock::now();
    // [/phases]
    lockstep::report("kernels used", used);
    lockstep::report("first call", ms(begin, registered), "ms");
    lockstep::report("context", ms(registered, created), "ms");
    lockstep::report("first launches", ms(before_use, done), "ms");
    lockstep::report("GPU memory after the start", lockstep::measured{mib_at_start},
                     "MiB");
    lockstep::report("GPU memory at the end", lockstep::measured{used_mib()}, "MiB");
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
    lockstep::command_line options(argc, argv);
    const int used = options.integer("used", 1, 0, all_kernels);
    const int starts = options.integer("starts", 11, 1, 100);
    const bool sweep = options.flag("sweep");
    const char* csv = options.text("csv");
    options.finish();
    if (!sweep) {
        start_and_use(used);
        return EXIT_SUCCESS;
    }
    lockstep::require_device();  // creates no context here
    // [sweep]
    lockstep::csv_file file(csv, "loading,kernels,~start_ms,~launches_ms");
    std::printf("%-10s%-10s%-13s%s\n", "loading", "kernels", "start, ms",
                "first launches, ms");
    for (const char* mode : {"LAZY", "EAGER"}) {
        setenv("CUDA_MODULE_LOADING", mode, 1);  // for the child processes
        for (const int count : {1, 16, 64, 128, 256}) {
            std::vector<double> start;
            std::vector<double> launches;
            for (int i = 0; i < starts; ++i) {
                const std::string said =
                    lockstep::output_of(argv[0], "--used " + std::to_string(count));
                start.push_back(number_after(said, "first call") +
                                number_after(said, "context"));
                launches.push_back(number_after(said, "first launches"));
            }
            const double start_ms = lockstep::summarize(start).median_ms;
            const double launches_ms = lockstep::summarize(launches).median_ms;
            std::printf("%-10s%-10d~%-12.1f~%.2f\n", mode, count, start_ms,
                        launches_ms);
            file.row("%s,%d,%.2f,%.3f", mode, count, start_ms, launches_ms);
        }
    }
    file.finish();
    // [/sweep]
    return EXIT_SUCCESS;
}
