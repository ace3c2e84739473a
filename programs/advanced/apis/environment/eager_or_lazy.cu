// By default a kernel is loaded when it is first launched. The first launch of each is
// therefore slow, unless all were loaded at the start, which moves that time there.

#include <array>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

__device__ int sink;

/// One of many kernels.
template <int number>
__global__ void kernel() {
    if (threadIdx.x == 1000) sink = number;
}

/// The first kernels, by number.
template <int... numbers>
constexpr std::array<void (*)(), sizeof...(numbers)> kernels(
    std::integer_sequence<int, numbers...>) {
    return {kernel<numbers>...};
}

/// How long something takes the host.
template <class Work>
double us_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() -
                                                     begin)
        .count();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool warm = options.flag("warm-up");
    options.finish();
    lockstep::require_device();

    constexpr auto all = kernels(std::make_integer_sequence<int, 200>());
    // [launches]
    const double start_us = us_of([] { lockstep::check(cudaFree(nullptr)); });
    if (warm)
        for (const auto& one : all) one<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    std::vector<double> launch_us;
    for (const auto& one : all) launch_us.push_back(us_of([&] { one<<<1, 1>>>(); }));
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/launches]
    lockstep::report("kernels", all.size());
    lockstep::report("runtime initialization", lockstep::measured{start_us * 1e-3},
                     "ms");
    lockstep::report(warm ? "second launch, median" : "first launch, median",
                     lockstep::measured{lockstep::summarize(launch_us).median_ms},
                     "us");
    return EXIT_SUCCESS;
}
