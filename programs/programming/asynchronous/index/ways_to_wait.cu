// What does a host thread cost while it waits for the GPU? If it spins or yields, as
// much time of its CPU core as the wait takes. If it sleeps, hardly any, but it wakes
// up later: a kernel that ends soon takes longer to be noticed.

#include <cstdlib>
#include <ctime>

#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// What one way of waiting took, as medians.
struct costs {
    double cpu_share;  ///< CPU time of the process / time of the wait
    double short_us;  ///< from the launch of a kernel of 10 us until it was waited for
};

/// Waits in one way for kernels that take a while, and for short ones.
/// @param flag    cudaDeviceScheduleSpin, Yield or BlockingSync
/// @param rounds  number of waits of each kind
costs wait_with(unsigned flag, int rounds) {
    // [wait]
    lockstep::check(cudaDeviceReset());
    lockstep::check(cudaSetDeviceFlags(flag));
    const auto wait_for = [](unsigned long long ns) {
        lockstep::busy<<<1, 1>>>(ns);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    };
    wait_for(1000);  // loads the kernel
    const std::clock_t before = std::clock();  // CPU time of all threads
    const auto long_wait =
        lockstep::time_on_host([&] { wait_for(20'000'000); }, rounds);
    const double cpu_ms = 1e3 * (std::clock() - before) / CLOCKS_PER_SEC;
    const auto short_wait = lockstep::time_on_host([&] { wait_for(10'000); }, rounds);
    // [/wait]
    const double waited_ms = long_wait.median_ms * (rounds + 1);  // and the warm-up
    return {cpu_ms / waited_ms, short_wait.median_ms * 1e3};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 20, 1, 100);
    options.finish();
    lockstep::require_device();

    const costs spin = wait_with(cudaDeviceScheduleSpin, rounds);
    const costs yield = wait_with(cudaDeviceScheduleYield, rounds);
    const costs sleep = wait_with(cudaDeviceScheduleBlockingSync, rounds);

    lockstep::report("CPU time / wait, spinning", lockstep::measured{spin.cpu_share});
    lockstep::report("CPU time / wait, yielding", lockstep::measured{yield.cpu_share});
    lockstep::report("CPU time / wait, sleeping", lockstep::measured{sleep.cpu_share});
    lockstep::report("10 us kernel, spinning", lockstep::measured{spin.short_us}, "us");
    lockstep::report("10 us kernel, yielding", lockstep::measured{yield.short_us},
                     "us");
    lockstep::report("10 us kernel, sleeping", lockstep::measured{sleep.short_us},
                     "us");
    const bool saves = sleep.cpu_share < 0.5 * spin.cpu_share;
    lockstep::report("sleeping frees the core", saves);
    return saves ? EXIT_SUCCESS : EXIT_FAILURE;
}
