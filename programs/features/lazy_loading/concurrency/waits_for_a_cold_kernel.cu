// A kernel waits for a sign of another kernel, which is launched after it into another
// stream. Does the sign come? If the second kernel has to be loaded first, loading may
// wait for the first kernel. Here it gives up after five milliseconds.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// A word that two running kernels use.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

// [kernels]
/// Waits for the sign, for five milliseconds at most.
/// @param sign  an int in device memory
/// @param came  an int in device memory, set to 1 if the sign came
__global__ void waiter(int* sign, int* came) {
    const unsigned long long begin = lockstep::now_ns();
    while (lockstep::now_ns() - begin < 5'000'000)
        if (shared_word(*sign).load(cuda::memory_order_relaxed) == 1) {
            *came = 1;
            return;
        }
}

/// Gives the sign. One of many kernels, each to be launched for the first time once.
/// @param sign  an int in device memory
template <int number>
__global__ void signaler(int* sign) {
    shared_word(*sign).store(1, cuda::memory_order_relaxed);
}
// [/kernels]

using kernel_pointer = void (*)(int*);
constexpr int rounds = 20;  // for each case

/// The kernels of one case.
template <int number_of_case, int... numbers>
std::vector<kernel_pointer> kernels_of(std::integer_sequence<int, numbers...>) {
    return {signaler<number_of_case * rounds + numbers>...};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> sign(1);
    lockstep::device_buffer<int> came(1);
    const lockstep::owned_stream first;
    const lockstep::owned_stream second;
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, waiter));
    const auto nothing = [](kernel_pointer) {};
    lockstep::csv_file series(csv, "way,~came,~us");
    const auto run = [&](const char* way, const std::vector<kernel_pointer>& signalers,
                         auto prepare, auto meanwhile) {
        long long times_came = 0;
        std::vector<double> launch_us;
        for (const kernel_pointer one : signalers) {
            prepare(one);
            sign.fill_bytes(0);
            came.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            // [pair]
            waiter<<<1, 1, 0, first>>>(sign.data(), came.data());
            const auto begin = std::chrono::steady_clock::now();
            meanwhile(one);
            one<<<1, 1, 0, second>>>(sign.data());
            const auto end = std::chrono::steady_clock::now();
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
            // [/pair]
            launch_us.push_back(
                std::chrono::duration<double, std::micro>(end - begin).count());
            times_came += came.to_host()[0];
        }
        const double us = lockstep::summarize(launch_us).median_ms;
        char came_text[24], us_text[24];
        std::snprintf(came_text, sizeof came_text, "~%lld of %d", times_came, rounds);
        std::snprintf(us_text, sizeof us_text, "~%.1f us", us);
        std::printf("%-34s%12s%21s\n", way, came_text, us_text);
        series.row("\"%s\",%lld,%.3g", way, times_came, us);
        return times_came;
    };
    constexpr auto numbers = std::make_integer_sequence<int, rounds>();
    // [ways]
    std::printf("%-34s%12s%21s\n", "second kernel", "sign came", "calls return after");
    run("not loaded", kernels_of<0>(numbers), nothing, nothing);
    const auto preload = [&](kernel_pointer one) {
        lockstep::check(cudaFuncGetAttributes(&attributes, one));
    };
    run("preloaded while the first runs", kernels_of<3>(numbers), nothing, preload);
    const long long asked =
        run("preloaded before", kernels_of<1>(numbers), preload, nothing);
    const long long launched = run(
        "launched before", kernels_of<2>(numbers),
        [&](kernel_pointer one) {
            one<<<1, 1, 0, second>>>(sign.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
        },
        nothing);
    // [/ways]
    series.finish();
    return asked > 0 && launched > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
