// Does it pay to load machine code with several host threads? This program has 128
// kernels of some kilobytes, and a new process for each value of
// CUDA_BINARY_LOADER_THREAD_COUNT loads them all at its start. The median of three
// starts is printed.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// One of many kernels, each with code of its own.
/// @tparam number  makes it another
/// @param x        one float in device memory
template <int number>
__global__ void kernel(float* x) {
    float value = *x;
#pragma unroll
    for (int i = 0; i < 300; ++i)
        value = value * (1.0F + 1e-6F * (number + i)) + 1e-3F * (number - i);
    *x = value;
}

/// The kernels by number.
template <int... numbers>
constexpr std::array<void (*)(float*), sizeof...(numbers)> kernels(
    std::integer_sequence<int, numbers...>) {
    return {kernel<numbers>...};
}

int main(int argc, char** argv) {
    using clock = std::chrono::steady_clock;
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    if (child) {
        // [child]
        const auto begin = clock::now();
        lockstep::check(cudaFree(nullptr));  // starts the runtime, frees nothing
        const std::chrono::duration<double, std::milli> took = clock::now() - begin;
        std::printf("%f", took.count());
        // [/child]
        constexpr auto all = kernels(std::make_integer_sequence<int, 128>());
        cudaFuncAttributes attributes{};
        for (const auto one : all)
            lockstep::check(cudaFuncGetAttributes(&attributes, one));
        return EXIT_SUCCESS;
    }
    lockstep::require_device();

    const lockstep::inherited eager("CUDA_MODULE_LOADING", "EAGER");
    bool right = true;
    std::printf("%-34s%s\n", "CUDA_BINARY_LOADER_THREAD_COUNT", "start, ms");
    // [values]
    for (const char* value : {"unset", "1", "8"}) {
        const lockstep::inherited threads("CUDA_BINARY_LOADER_THREAD_COUNT",
                                          *value == 'u' ? nullptr : value);
        std::vector<double> starts_ms;
        for (int start = 0; start < 3; ++start)
            starts_ms.push_back(
                std::atof(lockstep::output_of(argv[0], "--child").c_str()));
        const double median_ms = lockstep::summarize(starts_ms).median_ms;
        std::printf("%-34s~%.0f\n", value, median_ms);
        right &= median_ms > 0;
    }
    // [/values]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
